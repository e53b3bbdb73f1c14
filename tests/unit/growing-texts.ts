/** A way to fill a text that makes careless readers restart at each of its characters. */
type GrowingText = { name: string; fill: (length: number) => string };

const UNITS = [
  '<a href="',
  "<a href='",
  '<a href="x">',
  "<a ",
  "<img",
  "<img ",
  "<img src=x>",
  "<style",
  "<style>",
  "</style>",
  '<b style="color:red">',
  '<b class="a b">',
  "<b>",
  "</i>",
  "<p>",
  "<!--",
  "<![CDATA[",
  "<?",
  "<",
  ">",
  "‹",
  "&",
  "&#",
  "&amp",
  "&#55357;",
  '"',
  "'",
  " ",
  "\n",
  "\r",
  "\u00a0",
  "\u200b",
  ",",
  ", ",
  ";",
  ":",
  "(",
  ")",
  "[",
  '{"a":',
  "/*",
  "*/",
  "{",
  "{{ ",
  "}",
  "{customer_name}",
  "{constructor}",
  "a{}",
  "a{b:c}",
  "@media a{",
  "@media (min-width:1px){a{color:red}}",
  "color:red;",
  "a a ",
  "a@",
  "@a.",
  "a.",
  "1",
  "1.",
  "1,",
  "9700 1:1 ",
  "0",
  "-",
  "+",
  "=",
  "%",
  "%00",
  "\\",
  "/",
  "../",
  "_",
  "a=b; ",
  "&a=",
  "a[0].",
  'W/"a",',
  "Bearer ",
  "10.0.0.1, ",
  "Mozilla/5.0 (",
  "https://bit.ly",
  "é",
  "🔥",
  "\ud83d",
];

/** The first half is one thing, the second another: what was opened so often is searched at each closing. */
const HALVES: [string, string][] = [
  ["<b>", "</i>"],
  ["<b>", "</b>"],
  ["<p><b>", "</p>"],
  ["[", "]"],
  ['{"a":', "}"],
  ["a,", "b{color:red}"],
  [".ck-brand,", ".a{color:red}"],
  ["{", "}"],
  ["(", ")"],
  ["<", ">"],
  ["1", "x"],
  [" ", ","],
];

/** Everything a text of any length may be made of, from here on. */
const texts: GrowingText[] = [
  ...UNITS.map((unit) => ({ name: unit, fill: (length: number) => `${repeat(unit, length)}!` })),
  ...HALVES.map(([first, second]) => ({
    name: `${first}…${second}…`,
    fill: (length: number) => `${repeat(first, length / 2)}${repeat(second, length / 2)}!`,
  })),
  { name: "many fields", fill: (length) => many(length, (at) => `&a${at}=`) },
  { name: "many rows", fill: (length) => many(length, (at) => `&a[${at}].b=`) },
  {
    name: "many selectors, many declarations",
    fill: (length) => `${repeat("p,", length / 2)}p{${repeat("color:red;", length / 2)}}`,
  },
];

function many(length: number, write: (at: number) => string): string {
  return Array.from({ length: Math.ceil(length / write(1000).length) }, (_, at) => write(at)).join("");
}

function repeat(unit: string, length: number): string {
  return unit.repeat(Math.max(1, Math.floor(length / unit.length)));
}

/** Reads a text, or refuses it; its duration is what counts. */
export type Reader = (text: string) => unknown;

/** How often a pair is measured again before it counts as slow: a busy machine interrupts now and then. */
const ROUNDS = 20;
/** Twice the text may take this many times as long. Quadratic readers take four times. */
const MAX = 3;
/** Less than this is not slow at once; in between, one interrupted measurement must not decide. */
const CLEARLY_LINEAR = 2.5;

/**
 * The texts for which `read` takes more than `MAX` times as long when doubled. Measures this thread's own CPU time,
 * to which no other process adds. It is compared with itself, and with a plain scan of a text, below which it cannot
 * be distinguished from nothing.
 */
export async function slowTexts(read: Reader, length: number, attempted = texts): Promise<string[]> {
  const layer = await layerOf();
  const slow: string[] = [];
  for (const { name, fill } of attempted) {
    const [text, longer] = [fill(length), fill(2 * length)];
    let [once, twice] = [Infinity, Infinity];
    const isAbove = (ratio: number) => twice > ratio * Math.max(once, layer);
    for (let round = 0; round < ROUNDS; round++) {
      twice = Math.min(twice, await workOf(() => read(longer)));
      // Too little to be distinguished from nothing.
      if (twice <= MAX * layer) break;
      once = Math.min(once, await workOf(() => read(text)));
      if (!isAbove(CLEARLY_LINEAR)) break;
    }
    if (isAbove(MAX)) slow.push(`${name} (${(twice / once).toFixed(1)} times)`);
  }
  return slow;
}

let layer: number | null = null;

/** The cost of scanning two million characters. */
async function layerOf(): Promise<number> {
  layer ??= Math.min(...(await Promise.all([1, 2, 3].map(() => workOf(walk)))));
  return layer;
}

function walk(): number {
  let sum = 0;
  for (let at = 0; at < 2_000_000; at++) sum = (sum * 31 + at) % 1_000_003;
  return sum;
}

async function workOf(run: () => unknown): Promise<number> {
  const began = process.threadCpuUsage();
  try {
    await run();
  } catch (error) {
    // Refusing is as good as reading; a stack overflow is neither.
    if (error instanceof RangeError && error.message.includes("call stack")) throw error;
  }
  const { user, system } = process.threadCpuUsage(began);
  return user + system;
}
