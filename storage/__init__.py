"""Stores for logs, images and state.

Each of the three ports has an embedded and a cloud implementation.
"""
