/** Texts that are invalid in a field, or look so: each by its name. */
export const ODD_TEXTS: [string, string][] = [
  ["NUL", "\u0000"],
  ["NUL inside", "Ana\u0000Souza"],
  ["half a character", "\ud800"],
  ["the other half inside", "Ana\udc00 Souza"],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
  ["toString", "toString"],
  ["a noncharacter", "Ana\uffff"],
  ["a turn of direction", "Ana\u202eazuoS"],
  ["right to left", "שלום עולם"],
  ["no width", "Ana\u200b\u200d\ufeffSouza"],
  ["control characters", "\u0001\u0008\u001b[31m\u007f\u0085\u009f"],
  ["line breaks", "Ana\r\nBcc: vitima@x.co\r\n\r\nSouza"],
  ["10,000 letters", "a".repeat(10_000)],
  ["10,000 pairs", "😀".repeat(5_000)],
  ["pairs that any length cuts in two", `a${"😀".repeat(5_000)}`],
  ["an escape", "%00%ED%A0%80\\u0000"],
  ["a template", "{{constructor}} {__proto__} $1 $& {customer_name}"],
  ["a quote", "'\"`;--<script>alert(1)</script>"],
  ["a huge number", "99999999999999999999"],
  ["no finite number", "1e999"],
  ["a number below nothing", "-1"],
  ["nothing", ""],
  ["blanks", " \t\u00a0\u2028"],
];

/** JSON values where something else is expected, as text: not each can be made of a JavaScript value. */
export const ODD_JSON: [string, string][] = [
  ...ODD_TEXTS.map(([what, text]): [string, string] => [what, JSON.stringify(text)]),
  ["null", "null"],
  ["true", "true"],
  ["zero", "0"],
  ["a fraction", "-0.5"],
  ["a number too large", "1e400"],
  ["an empty list", "[]"],
  ["a list", '["a",null,1,{}]'],
  ["an object", '{"a":"b"}'],
  ["an object that cannot be printed", '{"toString":1,"valueOf":2,"length":1e9}'],
  ["a prototype", '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'],
  ["lists in lists", `${"[".repeat(30)}${"]".repeat(30)}`],
  ["lists deeper than a stack", `${"[".repeat(9_000)}${"]".repeat(9_000)}`],
  ["objects in objects", `${'{"a":'.repeat(60)}1${"}".repeat(60)}`],
  ["a key twice", '{"a":1,"a":[2]}'],
];

/** A text as a form carries it, halves of characters as the bytes that a careless program would send. */
export function percentEncoded(text: string): string {
  return Array.from(text, (letter) => {
    if (letter.isWellFormed()) return encodeURIComponent(letter);
    const code = letter.charCodeAt(0);
    const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
    return bytes.map((byte) => `%${byte.toString(16)}`).join("");
  }).join("");
}
