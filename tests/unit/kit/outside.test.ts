import { expect, test } from "vitest";
import { cleanLine, cleanLines, cleanText, truncate } from "#app/kit/clean-text.ts";
import { pick } from "#app/kit/pick.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { cleanForm } from "#app/server/forms/clean-form.server.ts";
import { cleanPath } from "#app/server/pipeline/clean-request-urls.server.ts";
import { fc } from "#tests/support/random.ts";

const anyText = fc.string({
  unit: fc.oneof(fc.string({ unit: "binary", maxLength: 1 }), loneHalf(), control()),
});

const everyObjectsWord = new RegExp(Object.getOwnPropertyNames(Object.prototype).join("|"));

const RUNS = { numRuns: 1000 };

test("a text keeps what people write, and loses what cannot be stored", () => {
  expect(cleanText("Olá,\r\n\tJoão 👨‍👩‍👧 שלום 日本")).toBe("Olá,\r\n\tJoão 👨‍👩‍👧 שלום 日本");
  expect(cleanText("a\u0000b\u0007c\u0085d\u007fe\uffffz\ufdd0")).toBe("abcdez");
  expect(cleanText("a\ud800b\udc00")).toBe("a\ufffdb\ufffd");
  expect(cleanText("Curso\n\u202e02 $R\u202c \u2067x\u2069 de violão")).toBe("Curso\n02 $R x de violão");
  expect(cleanLine("Ana\r\nSouza\t\u2028x\u202etac\u2066")).toBe("Ana Souza xtac");
});

test("a text is cut between its characters", () => {
  expect([truncate("a😀b", 2), truncate("a😀b", 3), truncate("a😀b", 9)]).toEqual(["a", "a😀", "a😀b"]);
  fc.assert(
    fc.property(anyText, fc.nat(20), (text, most) => {
      const short = truncate(cleanText(text), most);
      expect(short.isWellFormed()).toBe(true);
      expect(cleanText(text).startsWith(short)).toBe(true);
      expect(short.length).toBeLessThanOrEqual(most);
    }),
    RUNS,
  );
});

test("a text of several lines has as many characters as its field counted", () => {
  const typed = `${"a\n".repeat(499)}fim`;
  expect(cleanLines(typed.replaceAll("\n", "\r\n"), 1001)).toBe(typed);
  expect(cleanLines(" um\rdois\r\n\u0000três \r\n", 100)).toBe("um\ndois\ntrês");
  expect(cleanLines("um\r\ndois", 5)).toBe("um\ndo");
});

test("any cleaned input can be stored as text and as JSON, and cleaning again changes nothing", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const clean = cleanText(text);
      expect(clean.isWellFormed()).toBe(true);
      expect(clean).not.toMatch(/(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect(cleanText(clean)).toBe(clean);
      expect(cleanLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
    }),
    RUNS,
  );
});

test("JSON from outside has no keys of Object.prototype, and only texts that can be stored", () => {
  const read = parseUntrusted(
    '{"__proto__":{"a":1},"constructor":1,"toString":2,"valueOf":{},"n":{"__proto__":0,"x\\u0000":"\\ud800\\u0000"}}',
  );
  expect(read).toEqual({ n: { x: "\ufffd" } });
  expect(String(read)).toBe("[object Object]");
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  expect(() => parseUntrusted("[".repeat(100_000) + "]".repeat(100_000))).toThrow(/SyntaxError|nested/);
  expect(parseUntrusted("[".repeat(40) + "]".repeat(40))).toHaveLength(1);
});

test("all meaningful parts of any JSON are kept", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "grapheme" }), (value) => {
      fc.pre(!everyObjectsWord.test(JSON.stringify(value)));
      expect(JSON.stringify(parseUntrusted(JSON.stringify(value)))).toBe(JSON.stringify(value));
    }),
    RUNS,
  );
});

test("only an object's own entries are read", () => {
  const labels = { a: "A" };
  expect(pick(labels, "a")).toBe("A");
  for (const word of ["constructor", "__proto__", "toString", "b"])
    expect(pick(labels, word)).toBeUndefined();
});

test("any cleaned address can be read and decoded, and contains no control character", () => {
  const run = fc.oneof(
    fc.constantFrom("%", "%0", "%zz", "%00", "%ED%A0%80", "%0D%0A", "/", "?"),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(run), (parts) => {
      const path = cleanPath(`/${parts.join("").replace(/[^!-~]/g, "")}`);
      expect(() => new URL(`http://localhost${path}`)).not.toThrow();
      expect(decodeURIComponent(path)).not.toMatch(/\p{Cc}/u);
      expect(cleanPath(path)).toBe(path);
    }),
    RUNS,
  );
});

test("a valid address stays unchanged, letter for letter", () => {
  const plain = "/checkout/s/curso-de-viol%C3%A3o?utm_source=a%2Fb+c&x=%41%20";
  expect(cleanPath(plain)).toBe(plain);
  expect(cleanPath("http://x/a?b=c")).toBe("/a?b=c");
  expect(cleanPath("*")).toBe("/");
});

test("an address that loses characters becomes nobody's, not somebody else's", () => {
  expect(cleanPath("/thank-you/%00")).toBe("/thank-you/%EF%BF%BD");
  expect(cleanPath("/a%00b?name=a%00b%0Ac&_data=x&%5fdata=y")).toBe("/a%EF%BF%BDb?name=ab%20c");
  expect(cleanPath("/a?_data=x")).toBe("/a");
});

test("a form keeps the fields that pages write", () => {
  const posted = new FormData();
  for (const name of ["name", "orderBumps[0].price", "customer_email", "order_bumps"])
    posted.append(name, "a\u0000");
  const odd = [
    "__proto__",
    "constructor",
    "a.b.c",
    "a[4294967295]",
    "toString",
    "a[0].valueOf",
    "__state__",
    "",
    "a b",
  ];
  for (const name of odd) posted.append(name, "x");
  posted.append("file", new Blob(["x"]), "x.txt");
  expect([...cleanForm(posted)]).toEqual([
    ["name", "a"],
    ["orderBumps[0].price", "a"],
    ["customer_email", "a"],
    ["order_bumps", "a"],
  ]);
});

test.each([
  "x",
  "{}",
  '{"type":"insert"}',
  '{"type":"insert","payload":null}',
  '{"type":"update","payload":{"name":"name","value":{"a":1}}}',
  '{"type":"insert","payload":{"name":"__proto__"}}',
  '{"type":"remove","payload":{"name":"name","index":0}}',
  '{"type":"reorder","payload":{"name":"rows","from":1e9,"to":0}}',
])("the click %s is none of our buttons'", (intent) => {
  const posted = new FormData();
  posted.append("name", "x");
  posted.append("__intent__", intent);
  expect(() => cleanForm(posted)).toThrow(/não veio de um formulário/);
});

test("a click on our buttons that add, move and remove rows is accepted", () => {
  for (const intent of [
    { type: "insert", payload: { name: "orderBumps", defaultValue: { is_active: "on" } } },
    { type: "remove", payload: { name: "orderBumps", index: 0 } },
    { type: "reorder", payload: { name: "orderBumps", from: 1, to: 0 } },
  ]) {
    const posted = new FormData();
    posted.append("orderBumps[0].name", "x");
    posted.append("__intent__", JSON.stringify(intent));
    expect(JSON.parse(String(cleanForm(posted).get("__intent__")))).toEqual(intent);
  }
});

test("more fields than a form can have are refused", () => {
  const posted = new FormData();
  for (let i = 0; i < 10_001; i++) posted.append("a", "b");
  expect(() => cleanForm(posted)).toThrow(/grandes demais/);
});

function loneHalf() {
  return fc.integer({ min: 0xd800, max: 0xdfff }).map((half) => String.fromCharCode(half));
}

function control() {
  return fc.constantFrom("\u0000", "\u0001", "\r\n", "\u0085", "\u2028", "\u202e", "\uffff", "\u200d");
}
