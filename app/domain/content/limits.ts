/** Files, links and texts that a content may have. */
export const MOST_ITEMS = 50;
/** What a text of a content may weigh, in characters. */
export const LONGEST_TEXT = 20_000;
/** What a file may weigh that is sent by a form, without a script that sends it in parts: bytes. */
export const FORM_FILE = 8 * 1024 * 1024;
