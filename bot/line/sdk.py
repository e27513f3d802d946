"""The parts of LINE's SDK that the bot uses, imported here and nowhere else in this package.

Two threads that import different parts of the SDK at the same time can each see a half of the
other's package, because its packages import each other. A thread that needs this module waits until
another one has imported all of it.
"""

from linebot.v3.messaging import (
    ApiClient,
    Configuration,
    CreateRichMenuAliasRequest,
    Message,
    MessagingApi,
    MessagingApiBlob,
    PushMessageRequest,
    RichMenuRequest,
    SetWebhookEndpointRequest,
    ShowLoadingAnimationRequest,
    UpdateRichMenuAliasRequest,
)
from linebot.v3.oauth import (
    ApiClient as TokenApiClient,
    ChannelAccessToken,
    Configuration as TokenConfiguration,
)

__all__ = [
    "ApiClient",
    "ChannelAccessToken",
    "Configuration",
    "CreateRichMenuAliasRequest",
    "Message",
    "MessagingApi",
    "MessagingApiBlob",
    "PushMessageRequest",
    "RichMenuRequest",
    "SetWebhookEndpointRequest",
    "ShowLoadingAnimationRequest",
    "TokenApiClient",
    "TokenConfiguration",
    "UpdateRichMenuAliasRequest",
]
