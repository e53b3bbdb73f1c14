/** Hooks a seller may style; a snippet that needs one uses them in turn. */
export const HOOKS =
  ".ck-brand .ck-banner .ck-countdown .ck-product-name .ck-product-description .ck-bumps-title .ck-bumps-subtitle .ck-badges".split(
    " ",
  );
const CARRIERS = ["body", "html", ":root", ".ck-page", ...HOOKS];
const EVERY_HOOK = HOOKS.join();

/** Inherited properties. */
const INHERITED: Record<string, string[]> = {
  "font-family": [
    "Wingdings",
    "'Wingdings 3',Arial",
    '"Zapf Dingbats"',
    "Webdings",
    "Symbol",
    "Marlett,sans-serif",
    '"Segoe UI Emoji"',
    '"Noto Color Emoji",serif',
    "emoji",
    "math",
    "fantasy",
    '"\\57ingdings"',
    "W\\69ngdings",
    "var(--x,Wingdings)",
    "Georgia,Wingdings",
    "constructor",
    "__proto__",
  ],
  font: [
    "99rem Wingdings",
    "0/0 serif",
    "normal 1px/1000 Webdings",
    "caption",
    "italic 900 40vw/3 fantasy",
    "inherit",
  ],
  "font-size": ["0", "1px", "9999px", "99rem", "40vw", "1e9px", "0.01em", "1000%", "xxx-large", "math"],
  "line-height": ["1000", "0", "-1", "99rem", "100vh", "9999px", "99999%", "1e38", "calc(1000*1)"],
  "letter-spacing": ["-1em", "99px", "9rem", "50vw", "1000%", "calc(infinity*1px)", "-9999px"],
  "word-spacing": ["9999px", "-9999px", "50vw", "1000%"],
  "text-indent": ["-9999px", "9999px", "100vw", "100%", "50em hanging"],
  "text-transform": ["full-width", "full-size-kana", "math-auto"],
  "font-size-adjust": ["ex-height 9", "cap-height 99"],
  "font-stretch": ["ultra-condensed", "500%"],
  "font-variation-settings": ['"wght" 1000', '"wdth" 9999'],
  "font-feature-settings": ['"zero" 1', '"frac" 1'],
  "font-variant": ["small-caps", "ordinal slashed-zero"],
  "font-palette": ["dark"],
  direction: ["rtl"],
  "unicode-bidi": ["bidi-override", "plaintext"],
  "writing-mode": ["vertical-rl", "sideways-lr"],
  "text-orientation": ["upright"],
  visibility: ["hidden", "collapse"],
  "text-shadow": ["0 0 0 #fff,0 300px 0 red", "9999px 0 0 #fff"],
  "word-break": ["break-all", "keep-all"],
  "overflow-wrap": ["normal"],
  hyphens: ["auto"],
  "line-break": ["anywhere"],
  "white-space": ["nowrap", "pre", "break-spaces"],
  "text-wrap": ["nowrap"],
  "tab-size": ["9999"],
  "list-style": ["disc inside", "'R$ 1,00'"],
  quotes: ['"R$ 1,00" "x"'],
  cursor: ["none", "url(https://evil.example/c),auto", "wait"],
  "text-align": ["-webkit-center", "match-parent"],
  "text-align-last": ["right"],
  "-webkit-text-security": ["disc"],
  "-webkit-text-fill-color": ["transparent"],
  "-webkit-text-stroke": ["20px #fff"],
  "text-size-adjust": ["500%", "none"],
  "user-select": ["none", "all"],
  "caret-color": ["transparent"],
  "accent-color": ["#fff"],
  "color-scheme": ["dark", "only light"],
  color: ["transparent", "#fff", "rgb(0 0 0/0)", "currentcolor"],
  "image-rendering": ["pixelated"],
  "border-spacing": ["9999px"],
  "caption-side": ["bottom"],
  "empty-cells": ["hide"],
  orphans: ["1000"],
  "pointer-events": ["none"],
  zoom: ["99", "0.01", "1000%"],
};

/** Properties that add or remove space. */
const BOXES: Record<string, string[]> = {
  padding: [
    "600px",
    "20rem",
    "20em 60vw",
    "100%",
    "40vh",
    "calc(99px*99)",
    "max(600px,60vw)",
    "min(99rem,60vw)",
    "clamp(1px,9999px,99rem)",
    "env(x,600px)",
    "var(--p,600px)",
    "calc(infinity*1px)",
    "1e9px",
    "600PX",
    "50cqw",
    "99in",
    "99cm",
    "900pt",
    "50ch",
    "90lh",
    "40dvh",
    "anchor-size(width)",
    "+600px",
  ],
  "padding-top": ["600px", "20rem"],
  "padding-inline": ["600px"],
  "padding-block": ["600px"],
  "padding-left": ["60vw", "100%"],
  margin: ["600px", "-600px", "auto 600px", "-100vh 0 0"],
  "margin-bottom": ["9999px", "-9999px"],
  "margin-block": ["99rem"],
  border: ["600px solid red", "20rem double red", "60vw dotted"],
  "border-width": ["600px", "20rem"],
  "border-top": ["600px solid"],
  "border-bottom": ["40vh groove red"],
  "border-block": ["600px solid"],
  "border-image-width": ["9999px"],
  "border-image-outset": ["9999px"],
  outline: ["9999px solid #fff"],
  "box-shadow": ["0 0 0 600px #fff", "0 600px #fff"],
  height: ["9999px", "0", "100dvh"],
  "min-height": ["600px", "100vh"],
  "block-size": ["9999px"],
  width: ["9999px", "600vw"],
  "min-width": ["600px", "max-content"],
  "inline-size": ["9999px"],
  "max-height": ["0", "none"],
  "max-width": ["none", "0"],
  "aspect-ratio": ["1/1000"],
  "box-sizing": ["content-box"],
  contain: ["none"],
  "contain-intrinsic-size": ["9999px"],
  "content-visibility": ["hidden"],
  "-webkit-line-clamp": ["999"],
  "line-clamp": ["none"],
  columns: ["1px 99"],
  "scroll-margin": ["9999px"],
};

/** Properties that move, hide, cover, draw over or animate. */
const MOVES = [
  "position:fixed;inset:0",
  "position:sticky;top:0",
  "position:absolute;bottom:-99rem",
  "top:600px;position:relative",
  "z-index:99999",
  "transform:translateY(600px)",
  "transform:scale(99)",
  "translate:0 600px",
  "scale:99",
  "rotate:180deg",
  "offset:path('M0 0L0 999') 100%",
  "perspective:1px",
  "filter:blur(99px)",
  "filter:drop-shadow(0 600px 0 #fff)",
  "backdrop-filter:invert(1)",
  "mix-blend-mode:difference",
  "isolation:auto",
  "clip-path:circle(0)",
  "clip:rect(0,0,0,0)",
  "mask:linear-gradient(#0000,#0000)",
  "opacity:0",
  "opacity:.01",
  "float:right",
  "clear:both",
  "display:none",
  "display:contents",
  "display:inline",
  "display:table-footer-group",
  "order:99",
  "flex:0 0 9999px",
  "flex-direction:column-reverse",
  "grid-area:1/1/99/99",
  "grid-row:99",
  "align-self:end",
  "justify-self:end",
  "place-content:end",
  "gap:9999px",
  "overflow:visible",
  "overflow:scroll",
  "overflow-clip-margin:9999px",
  "animation:pulse 1s infinite",
  "transition:padding 9s",
  "animation-timeline:scroll()",
  "view-transition-name:x",
  "anchor-name:--x",
  "position-area:bottom",
  "appearance:none",
  "resize:both",
  "all:unset",
  "all:initial",
  "all:revert-layer",
  "counter-reset:step 99",
  'content:"R$ 1,00"',
  "will-change:transform",
  "touch-action:none",
  "shape-outside:circle(50%)",
  "float:inline-start",
  "padding:600px!important",
  "padding:600px !ie",
  "padding\\: 600px",
  "p\\61 dding:600px",
  "PADDING:600PX",
  "-webkit-padding-start:600px",
  "--x:600px;padding:var(--x)",
  "text-decoration:underline 600px red",
  "text-decoration-thickness:600px",
  "text-underline-offset:600px",
  "text-emphasis:circle red",
  "initial-letter:9",
  "ruby-position:under",
  "margin-trim:block",
  "interpolate-size:allow-keywords",
  "field-sizing:content",
  "constructor:600px",
  "__proto__:600px",
  "padding:600constructor",
];

/** Rules around rules, selectors that reach further, and sheets that end early. */
const SHEETS = [
  "@media (min-width:1px){body{font-family:Wingdings}}",
  "@media (max-width:9999px){.ck-brand{line-height:1000}}",
  "@media (min-width:1px){@media (min-width:1px){.ck-product-name{padding:600px}}}",
  "@media ){.ck-brand{padding:40px}}body{color:red}",
  "@media ((({.ck-brand{padding:40px}}",
  "@media screen,(( a ){.ck-brand{padding:40px}}){}.ck-badges{padding:40px}",
  "@media print,all{.ck-brand{padding:600px}}",
  "@container (min-width:1px){.ck-brand{padding:600px}}",
  "@container style(--x:1){.ck-brand{padding:600px}}",
  "@supports (padding:1px){.ck-brand{padding:600px}}",
  "@layer kept{.ck-brand{max-height:none;contain:none;padding:40px}}",
  "@layer kept,seller;.ck-brand{padding:40px;max-height:none}",
  "@scope (.ck-brand) to (.x){:scope{padding:600px}}",
  "@starting-style{.ck-brand{padding:600px}}",
  "@property --p{syntax:'<length>';inherits:true;initial-value:600px}.ck-brand{padding:var(--p)}",
  "@font-face{font-family:Arial;src:local(Wingdings)}body{font-family:Arial}",
  "@font-face{font-family:system-ui;src:local(Webdings)}",
  "@font-feature-values Arial{@swash{x:1}}",
  "@counter-style x{system:cyclic;symbols:'R$ 1,00'}.ck-badges{list-style:x}",
  "@position-try --x{inset:0}.ck-brand{position-try:--x}",
  "@function --x(){result:600px}.ck-brand{padding:--x()}",
  "@keyframes x{to{padding:600px}}.ck-brand{animation:x 1s forwards}",
  "@import url(//evil.example/x.css) layer(kept);.ck-brand{padding:40px}",
  ".ck-brand{&{padding:600px}}",
  ".ck-brand{@media all{padding:600px}}",
  ".ck-product-name{& + .prices{display:none}}",
  ".ck-product-name:hover{padding:40px}",
  ".ck-brand:hover{font-size:40px}",
  ".a:hover{height:600px}",
  ".ck-brand:has(*){padding:600px}",
  ".ck-brand:not(.x){padding:600px}",
  ".ck-brand:is(h1){padding:600px}",
  ".ck-brand:where(*){padding:600px}",
  ".ck-brand::first-line{font-size:600px}",
  ".ck-brand::first-letter{padding:600px;float:left}",
  ".ck-badges ::marker{content:'R$ 1,00'}",
  ".ck-brand::selection{color:transparent}",
  "::selection{color:transparent}",
  "::placeholder{opacity:0}",
  "::-webkit-scrollbar{width:600px}",
  "[class]{padding:600px}",
  "[data-total]{font-family:Wingdings}",
  "#total,#dados{line-height:1000}",
  "body *{font-family:Wingdings}",
  "body .prices{letter-spacing:9px}",
  "body > main{padding:600px}",
  "html body{line-height:1000}",
  "body.x,body:hover{line-height:1000}",
  "main .ck-brand{padding:600px}",
  ".ck-brand *{padding:600px;font-size:99rem}",
  ".ck-badges li{padding:600px}",
  ".ck-badges svg{width:600px}",
  ".ck-countdown time{font-size:0}",
  ".ck-banner img{height:600px}",
  ".ck-brand .ck-brand{padding:600px}",
  ".ck-brand.brand{padding:600px}",
  ".brand{padding:600px}",
  ".product>div{padding:600px}",
  ".card{padding:600px;font-family:Wingdings}",
  ".notice,.foot,.guarantee{font-size:1px;line-height:1000}",
  "label{text-indent:-9999px}",
  "button{font-family:Wingdings;letter-spacing:1em}",
  "b,s,p,h2,span{font-family:Webdings}",
  "svg{width:600px}",
  "*{line-height:1000;font-family:Wingdings}",
  "*,::before,::after{padding:600px}",
  "| .ck-brand{padding:600px}",
  "*|*{padding:600px}",
  "svg|a{padding:600px}",
  ".ck-\\62 rand{padding:600px}",
  ".ck-brand\\,.pay{padding:600px}",
  ".constructor,.__proto__{padding:600px}",
  "constructor{padding:600px}__proto__{padding:600px}",
  ".ck-brand{padding:40px}/*",
  ".ck-brand{padding:40px}}}}.card{padding:600px}",
  ".ck-brand{font-family:'",
  ".ck-brand{background:linear-gradient(red,blue",
  ".ck-brand{padding:40px;(}.card{padding:600px}",
  "body{background:#000}",
  "body{background:linear-gradient(#000,#fff)}",
  "body{background:red;background:blue}html{background:#111}",
  ".zone{max-height:none;contain:none;font-size:99rem}",
  ".a{margin:-600px;position:fixed}",
  ".a{font-size:20rem;line-height:1000;padding:600px;border:600px solid;min-height:600px}",
  ".a,.a *{display:table;width:600px;white-space:nowrap;letter-spacing:20em}",
  ".a{box-shadow:0 0 0 600px #fff;text-shadow:0 600px #fff}",
  ".a{float:right;clear:both;margin:600px}",
  ".a{display:grid;grid-template-columns:repeat(1000,minmax(600px,1fr));gap:600px}",
];

/** The maximum that is allowed, on every hook at once: a page must withstand it. */
const MAX = [
  "padding:32px",
  "padding:2rem;border:6px solid red",
  "font-size:40px;line-height:2;letter-spacing:8px",
  "font-size:2.5em;padding:1em;border:.15em solid",
  "font-size:40px;line-height:2;padding:1em 32px;border:6px solid red;letter-spacing:.4em;text-transform:uppercase;font-weight:900",
  "font-size:250%;line-height:200%;padding:4% 3vw;opacity:.5",
  "font-size:12px;line-height:.9;letter-spacing:-.05em",
  "font-size:xx-large;padding:inherit;border:inherit;line-height:inherit",
  "border:thick double;padding:32px",
];

/** Sheets that try to add space, change inherited styles, or move protected elements. */
export const HOSTILE_SHAPES: string[] = [
  ...spread({ ...INHERITED, ...BOXES }),
  ...MOVES.map((text, at) => `${CARRIERS[at % CARRIERS.length]}{${text}}`),
  ...SHEETS,
  ...MAX.map((text) => `${EVERY_HOOK}{${text}}`),
  ...HOOKS.map((hook) => `${hook}{${MAX[4]}}`),
  `body{${declarations(INHERITED)}}`,
  `${EVERY_HOOK}{${declarations(BOXES)}}`,
  `${[...CARRIERS, "*", ".a"].join()}{${declarations({ ...INHERITED, ...BOXES })};${MOVES.join(";")}}`,
];

function spread(kinds: Record<string, string[]>): string[] {
  let counter = 0;
  return Object.entries(kinds).flatMap(([property, values]) =>
    values.map((value) => `${CARRIERS[counter++ % CARRIERS.length]}{${property}:${value}}`),
  );
}

function declarations(kinds: Record<string, string[]>): string {
  return Object.entries(kinds)
    .flatMap(([property, values]) => values.map((value) => `${property}:${value}`))
    .join(";");
}

/** A sheet at random, the same for the same seed: any hooks, any of the above, and much that is let through. */
export function randomSheet(seed: number): string {
  const random = generator(seed);
  const one = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  const all = Object.entries({ ...INHERITED, ...BOXES });
  const units = ["px", "rem", "em", "%", "vw", "vh", "", "ch", "deg"];
  const properties =
    "padding padding-top padding-bottom padding-left border border-width border-top border-radius font-size line-height letter-spacing opacity font-weight background text-transform text-align".split(
      " ",
    );
  const declaration = () => {
    const kind = random();
    if (kind < 0.2) return one(MOVES);
    if (kind < 0.4) {
      const [property, values] = one(all);
      return `${property}:${one(values)}`;
    }
    if (kind < 0.6) return one(MAX);
    // Small numbers are allowed more often, large ones are tested too.
    const number = (random() * 10 ** Math.floor(random() * 4 - 1)).toFixed(2);
    return `${one(properties)}:${number}${one(units)}`;
  };
  const rule = () => {
    const selectors = Array.from({ length: 1 + Math.floor(random() * 8) }, () => one([...CARRIERS, ".a"]));
    const body = Array.from({ length: 1 + Math.floor(random() * 6) }, declaration).join(";");
    const text = `${selectors.join()}${random() < 0.1 ? ":hover" : ""}{${body}}`;
    return random() < 0.15 ? `@media (min-width:${Math.floor(random() * 1500)}px){${text}}` : text;
  };
  return Array.from({ length: 1 + Math.floor(random() * 12) }, rule).join("");
}

/** Numbers from 0 to 1, the same for the same seed. Source: mulberry32, public domain. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
