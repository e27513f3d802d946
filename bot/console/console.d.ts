// What the console's calls answer with (bot/console/page.py), and LINE's JSON as far as it is drawn.
// Only the type checker reads this file: `make check`.

export interface Account {
  id: string;
  name: string;
}

export interface Group extends Account {
  /** Ids of the members. */
  members: string[];
}

export interface ConsoleState {
  bot: Account;
  users: Account[];
  groups: Group[];
  /** The id of the rich menu that a user sees. */
  menus: Record<string, string>;
  richmenus: Record<string, Menu>;
}

export interface Updates {
  /** Changes when the service is started again; numbers then begin again. */
  epoch: string;
  entries: Entry[];
}

interface EntryHead {
  /** Its number. */
  n: number;
  chat: string | null;
  /** Drawn again, because another chat is shown. */
  isOld?: boolean;
}

export interface MessageEntry extends EntryHead {
  kind: "message";
  /** A user's id; null for the bot. */
  sender: string | null;
  /** Seconds since 1970. */
  at: number;
  message: Message;
}

export interface RefusedEntry extends EntryHead {
  kind: "refused";
  status: number;
  request: unknown;
  response?: { message?: string; details?: { property: string; message: string }[] };
}

export interface ApiEntry extends EntryHead {
  kind: "api";
  method: string;
  path: string;
  status: number | null;
  ms: number;
  request: unknown;
  response?: unknown;
  error?: string;
}

export interface WebhookEntry extends EntryHead {
  kind: "webhook";
  status: number | null;
  ms: number;
  request: { events: WebhookEvent[] };
  response?: unknown;
  error?: string;
}

export interface LoadingEntry extends EntryHead {
  kind: "loading";
  seconds: number;
}

export interface MenuEntry extends EntryHead {
  kind: "menu";
}

export interface EveningEntry extends EntryHead, EveningState {
  kind: "evening";
}

export type Entry =
  | MessageEntry
  | RefusedEntry
  | ApiEntry
  | WebhookEntry
  | LoadingEntry
  | MenuEntry
  | EveningEntry;

export interface EveningState {
  running: boolean;
  /** Games that have ended. */
  done: number;
  games: number;
  /** Tables at which a game is played. */
  tables: number;
  time: string;
  problem: string;
}

/** What a user of the page does: `ACTIONS` in bot/console/page.py. */
export type UserAction =
  | { do: "tap"; data: string; displayText?: string; params?: Record<string, string> }
  | { do: "switch"; alias: string; data: string }
  | { do: "say"; text: string; quoted: string | null }
  | { do: "file"; name: string; content: string }
  | { do: "enter" | "redeliver" };

export interface WebhookEvent {
  type: string;
  postback?: { data: string };
  message?: { type: string; text?: string };
}

export interface PostbackAction {
  type: "postback";
  label?: string;
  data: string;
  displayText?: string;
}

export interface UriAction {
  type: "uri";
  label?: string;
  uri: string;
}

export interface ClipboardAction {
  type: "clipboard";
  label?: string;
  clipboardText: string;
}

export interface MenuSwitchAction {
  type: "richmenuswitch";
  label?: string;
  richMenuAliasId: string;
  data: string;
}

export interface PickerAction {
  type: "datetimepicker";
  label?: string;
  data: string;
  mode: "date" | "time" | "datetime-local";
  initial?: string;
  min?: string;
  max?: string;
}

export type Action =
  | PostbackAction
  | UriAction
  | ClipboardAction
  | MenuSwitchAction
  | PickerAction;
export type Perform = (action: Action) => void;

export interface QuickReply {
  items: { action: Action }[];
}

interface MessageHead {
  id: string;
  quoteToken?: string;
  quotedMessageId?: string;
  quickReply?: QuickReply;
  sender?: { name?: string };
}

export interface TextMessage extends MessageHead {
  type: "text";
  text: string;
}

export interface TextV2Message extends MessageHead {
  type: "textV2";
  text: string;
  substitution: Record<string, { mentionee: { userId: string } }>;
}

export interface ImageMessage extends MessageHead {
  type: "image";
  /** A picture that a user has sent has no address. */
  previewImageUrl?: string;
  originalContentUrl?: string;
}

export interface FileMessage extends MessageHead {
  type: "file";
  fileName: string;
  fileSize: number;
}

export interface FlexMessage extends MessageHead {
  type: "flex";
  altText: string;
  contents: FlexContainer;
}

export type Message = TextMessage | TextV2Message | ImageMessage | FileMessage | FlexMessage;

export interface Size {
  width: number;
  height: number;
}

export interface Area {
  bounds: Size & { x: number; y: number };
  action: Action;
}

export interface Menu {
  name: string;
  chatBarText: string;
  selected: boolean;
  size: Size;
  areas: Area[];
}

// Flex messages: https://developers.line.biz/en/reference/messaging-api/#flex-message

export type Layout = "horizontal" | "vertical" | "baseline";
export type FlexContainer = FlexBubble | FlexCarousel;
export type BlockName = "header" | "hero" | "body" | "footer";

export interface FlexCarousel {
  type: "carousel";
  contents: FlexBubble[];
}

export interface FlexBubble extends Partial<Record<BlockName, FlexComponent>> {
  type: "bubble";
  size?: string;
  direction?: string;
  styles?: Partial<Record<BlockName, FlexBlockStyle>>;
  action?: Action;
}

export interface FlexBlockStyle {
  backgroundColor?: string;
  separator?: boolean;
  separatorColor?: string;
}

/** What any component may have. */
interface FlexHead {
  flex?: number;
  margin?: string;
  position?: "relative" | "absolute";
  offsetTop?: string;
  offsetBottom?: string;
  offsetStart?: string;
  offsetEnd?: string;
  action?: Action;
}

export interface FlexBox extends FlexHead {
  type: "box";
  layout: Layout;
  contents: FlexComponent[];
  spacing?: string;
  backgroundColor?: string;
  background?: FlexGradient;
  borderWidth?: string;
  borderColor?: string;
  cornerRadius?: string;
  width?: string;
  maxWidth?: string;
  height?: string;
  maxHeight?: string;
  justifyContent?: string;
  alignItems?: string;
  paddingAll?: string;
  paddingTop?: string;
  paddingBottom?: string;
  paddingStart?: string;
  paddingEnd?: string;
}

export interface FlexGradient {
  angle: string;
  startColor: string;
  endColor: string;
  centerColor?: string;
  centerPosition?: string;
}

/** The look of letters: a text's, or that of a span in it. */
export interface FlexLetters {
  text?: string;
  size?: string;
  color?: string;
  weight?: "regular" | "bold";
  style?: string;
  decoration?: string;
}

export interface FlexText extends FlexHead, FlexLetters {
  type: "text";
  contents?: FlexLetters[];
  align?: string;
  gravity?: string;
  lineSpacing?: string;
  wrap?: boolean;
  maxLines?: number;
  adjustMode?: string;
}

export interface FlexButton extends FlexHead {
  type: "button";
  style?: "link" | "primary" | "secondary";
  height?: string;
  color?: string;
  gravity?: string;
  adjustMode?: string;
  action: Action;
}

export interface FlexImage extends FlexHead {
  type: "image";
  url: string;
  size?: string;
  aspectRatio?: string;
  aspectMode?: string;
  backgroundColor?: string;
  align?: string;
  gravity?: string;
}

export interface FlexIcon extends FlexHead {
  type: "icon";
  url: string;
  size?: string;
  aspectRatio?: string;
}

export interface FlexSeparator extends FlexHead {
  type: "separator";
  color?: string;
}

export interface FlexFiller extends FlexHead {
  type: "filler";
}

export type FlexComponent =
  | FlexBox
  | FlexText
  | FlexButton
  | FlexImage
  | FlexIcon
  | FlexSeparator
  | FlexFiller;
