/** The maximum of files, links and texts in a content. */
export const MAX_ITEMS = 50;
/** The maximum length of a text, in characters. */
export const MAX_TEXT_LENGTH = 20_000;
/** The maximum size of a file sent by a plain form, without the script that sends it in parts: bytes. */
export const MAX_FORM_FILE_BYTES = 8 * 1024 * 1024;
