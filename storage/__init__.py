"""Where bytes live: logs, images, state. Each port has an embedded and a cloud implementation."""
