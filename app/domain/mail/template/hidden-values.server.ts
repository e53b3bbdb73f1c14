import { Tokenizer } from "htmlparser2";

/** A value in filled-in HTML, by its offsets, and the placeholder it replaced. */
export type FilledValue = { name: string; written: string; start: number; end: number };

/** What the reader of a mail reads, or opens by a click (`isLink`), by its offsets. */
type Place = { start: number; end: number; isLink: boolean };

const READ_ATTRIBUTES = ["alt", "title", "aria-label"];
/** Elements whose `href` is opened by a click alone; the last two are Outlook's buttons. */
const LINKS = ["a", "area", "v:rect", "v:roundrect"];
/** Elements whose content is no HTML; that of the first two is not read. */
const RAW_ELEMENTS = ["script", "style", "title", "textarea", "xmp"];
const UNREAD_ELEMENTS = RAW_ELEMENTS.slice(0, 2);

/**
 * The values that are in no place where they are read: a mail program loads the address of a picture when the mail is opened, and
 * would send its host the values in it. The purchase's link, which opens it, may only begin a link's address.
 * @param values in document order
 */
export function findHidden(html: string, values: FilledValue[]): FilledValue[] {
  const places: Place[] = [];
  if (values.length > 0) addPlaces(html, { offset: 0, isInner: false, places });
  let at = 0;
  return values.filter((value) => {
    while (at < places.length && places[at]!.end < value.end) at++;
    const place = places[at];
    return !place || place.start > value.start || (place.isLink && !fitsLink(html, place, value));
  });
}

function fitsLink(html: string, { start }: Place, value: FilledValue): boolean {
  if (value.name !== "product_file_url") return true;
  // Editors put a scheme before what has none, in lower case, and `mendAddress` takes that away.
  return value.start - start < 20 && /^(https?:\/\/)?$/.test(html.slice(start, value.start).trim());
}

/**
 * Adds the places of a text, in linear time, until it may be that another parser reads tags where this one reads none. Comments
 * are read as HTML: Outlook does so.
 * @param scan.isInner whether the text is a part of another one that is no HTML there
 * @returns whether another parser may be within a tag, or a style sheet, at its end
 */
function addPlaces(html: string, scan: { offset: number; isInner: boolean; places: Place[] }): boolean {
  const { offset, isInner, places } = scan;
  let isClear = true;
  let tag = "";
  let ofTag: Place[] = [];
  let attribute = "";
  let value: [start: number, end: number] | null = null;
  let rawElement: string | null = null;
  /** Where the last tag or comment ended. */
  let read = 0;
  const placeAt = (start: number, end: number, isLink = false): Place => ({
    start: start + offset,
    end: end + offset,
    isLink,
  });
  const inspect = (start: number, end: number, inner: Place[] = []) => {
    const text = html.slice(start, end);
    if (!isClear || !text.includes("<")) return;
    const isOpen = isInner
      ? /<[a-z]/i.test(text)
      : addPlaces(text, { offset: offset + start, isInner: true, places: inner });
    if (isOpen) isClear = false;
  };
  const endTag = (end: number) => {
    if (isClear) for (const place of ofTag) places.push(place);
    read = end;
  };
  const readComment = (start: number, end: number, endOffset: number) => {
    inspect(start, end - endOffset, places);
    read = end;
  };
  const skip = (_start: number, end: number) => {
    read = end;
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start, end) => {
        tag = html.slice(start, end).toLowerCase();
        ofTag = [];
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, end).toLowerCase();
        value = null;
      },
      onattribdata: (start, end) => {
        value = [start, end];
      },
      onattribend: () => {
        if (!value) return;
        inspect(...value);
        const isLink = attribute === "href" && LINKS.includes(tag);
        // Another parser may read tags in it, whole ones too.
        const hasTags = /<[a-z/!?]/i.test(html.slice(...value));
        if (!hasTags && (isLink || READ_ATTRIBUTES.includes(attribute)))
          ofTag.push(placeAt(...value, isLink));
      },
      onopentagend: (end) => {
        endTag(end);
        rawElement = RAW_ELEMENTS.includes(tag) ? tag : null;
      },
      onselfclosingtag: (end) => {
        endTag(end);
        // `<style/>` opens a style sheet in HTML.
        if (RAW_ELEMENTS.includes(tag)) isClear = false;
      },
      onclosetag: (start, end) => {
        if (html.slice(start, end).toLowerCase() === rawElement) rawElement = null;
      },
      ontext: (start, end) => {
        const isRead = rawElement === null || !UNREAD_ELEMENTS.includes(rawElement);
        // Another parser may read tags in a raw element, whole ones too.
        if (rawElement !== null && html.slice(start, end).includes("<"))
          inspect(start, end, isRead ? places : []);
        else if (isClear && isRead) places.push(placeAt(start, end));
      },
      oncomment: readComment,
      oncdata: readComment,
      ondeclaration: skip,
      onprocessinginstruction: skip,
      onattribentity: () => {},
      ontextentity: () => {},
      onend: () => {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return !isClear || rawElement !== null || /<[a-z]/i.test(html.slice(read));
}
