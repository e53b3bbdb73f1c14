import type { Page } from "playwright";
import { buildCheckoutTheme } from "#app/domain/storefront/build-checkout-theme.server.ts";
import { mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";

/** The most that all hooks together may push the button down, in CSS pixels. */
export const MAX_PUSH = 640;

/** Protected elements: prices, totals, fields and their labels, the notice, the button, the store. */
const PARTS =
  ".prices, .prices b, .total, .total h2, .sum, [data-total], .notice, .pix, .fields, .fields label, .fields input, .bump, .bump input, .bump .name, .pay, .buy, .chip, .guarantee, .guarantee b, .foot p, #dados, #pagamento, #resumo";

/** The computed styles of each of them and of all their ancestors. */
const LOOKS =
  "display visibility opacity color background-color background-image font-family font-size font-weight font-style font-stretch font-variant font-size-adjust font-feature-settings line-height letter-spacing word-spacing text-indent text-transform text-align text-shadow text-decoration-line white-space-collapse text-wrap-mode word-break overflow-wrap hyphens direction unicode-bidi writing-mode text-orientation list-style-type list-style-image quotes cursor user-select pointer-events position float order z-index transform translate scale rotate zoom filter backdrop-filter mix-blend-mode clip-path mask-image animation-name transition-property content-visibility -webkit-text-fill-color -webkit-text-stroke-width -webkit-text-security caret-color accent-color color-scheme tab-size".split(
    " ",
  );

/** HTML that fills its zone to the maximum height, so that any further shift is caused by hooks. */
export const FULL_ZONE = '<p class="a">Turma de novembro</p>'.repeat(60);

/** Prepares a page for `checkSheets`: tall enough that nothing is fixed to an edge, and records its plain state. */
export async function rememberPlain(page: Page): Promise<void> {
  const { width } = page.viewportSize()!;
  await page.setViewportSize({ width, height: 6000 });
  await page.evaluate(
    ({ parts, looks: styles }) => {
      const sheet = new CSSStyleSheet();
      // Not an element: the page's policy allows styles by their hash alone.
      document.adoptedStyleSheets = [sheet];
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
      const channels = (color: string) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
      };
      const light = (color: string) =>
        channels(color)
          .slice(0, 3)
          .map((c) => c / 255)
          .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
          .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at]!, 0);
      /** Against the nearest ground that lets nothing through; 0 where that is a picture. */
      const contrast = (el: Element) => {
        let at: Element | null = el;
        while (at && channels(getComputedStyle(at).backgroundColor)[3] !== 255) {
          if (getComputedStyle(at).backgroundImage !== "none") return 0;
          at = at.parentElement;
        }
        if (!at) return 0;
        const pair = [light(getComputedStyle(el).color), light(getComputedStyle(at).backgroundColor)];
        return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
      };
      const elements = [...document.querySelectorAll<HTMLElement>(parts)].filter(
        (el) => el.getClientRects().length > 0,
      );
      const styleOf = (el: Element) => {
        const style = getComputedStyle(el);
        const around = ["::before", "::after"].map((pseudo) => getComputedStyle(el, pseudo).content);
        // On a seller's ground the foot has one of its own: its contrast is judged instead.
        const judged = styles.filter((name) => !(el.closest(".foot") && name === "background-color"));
        return [...judged.map((name) => `${name}: ${style.getPropertyValue(name)}`), ...around];
      };
      const name = (el: Element) => `<${el.tagName.toLowerCase()} class="${el.className}">`;
      const coverOf = (el: Element, box: DOMRect) => {
        const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        const free = box.width >= 4 && box.height >= 4 && hit && (el.contains(hit) || hit.contains(el));
        return free ? null : hit ? name(hit) : "nothing";
      };
      const measure = () => {
        const chain = new Set<Element>();
        for (const el of elements)
          for (let at: Element | null = el; at && at !== document.body; at = at.parentElement) chain.add(at);
        const boxes = elements.map((el) => el.getBoundingClientRect());
        return {
          looks: new Map([...chain].map((el) => [el, styleOf(el)])),
          boxes,
          covers: elements.map((el, at) => coverOf(el, boxes[at]!)),
          texts: elements.map((el) => el.innerText),
        };
      };
      const plain = measure();
      const check = (css: string, maxPush: number): string[] => {
        sheet.replaceSync(css);
        const now = measure();
        const wrong: string[] = [];
        for (const [el, look] of now.looks)
          look.forEach((line, at) => {
            const before = plain.looks.get(el)![at];
            if (line !== before) wrong.push(`${name(el)} was ${before}, is ${line}`);
          });
        const push = (at: number) => now.boxes[at]!.top - plain.boxes[at]!.top;
        elements.forEach((el, at) => {
          const [box, was] = [now.boxes[at]!, plain.boxes[at]!];
          for (const side of ["left", "width", "height"] as const)
            if (Math.abs(box[side] - was[side]) > 0.6)
              wrong.push(`${name(el)}: ${side} was ${was[side]}, is ${box[side]}`);
          if (now.texts[at] !== plain.texts[at]) wrong.push(`${name(el)} reads ${now.texts[at]}`);
          // The last element may move further: it is below the button, or in sight wherever the page ends.
          const isLast = el.closest(".foot, .trust, .total-bar");
          if (push(at) > maxPush && !isLast) wrong.push(`${name(el)} was pushed ${push(at)} px`);
          const cover = now.covers[at];
          if (cover && cover !== plain.covers[at]) wrong.push(`${name(el)} is covered by ${cover}`);
          if (el.closest(".foot") && contrast(el) < 4.5) wrong.push(`${name(el)}: contrast ${contrast(el)}`);
        });
        for (const column of [".main", ".aside", ".trust", ".foot"]) {
          const inside = elements.flatMap((el, at) => (el.closest(column) ? [at] : []));
          const order = (boxes: DOMRect[]) =>
            [...inside].sort((a, b) => boxes[a]!.top - boxes[b]!.top || boxes[a]!.left - boxes[b]!.left);
          if (order(now.boxes).join() !== order(plain.boxes).join()) wrong.push(`${column}: another order`);
        }
        const { scrollWidth, clientWidth } = document.documentElement;
        if (scrollWidth > clientWidth) wrong.push(`${scrollWidth} px wide in a window of ${clientWidth}`);
        return wrong;
      };
      Object.assign(window, { check });
    },
    { parts: PARTS, looks: LOOKS },
  );
}

/** What each sheet does that it must not, after the real sanitizer: from the sheet to what was found. */
export async function checkSheets(
  page: Page,
  sheets: string[],
  dress: (sheet: string) => string = asBuyersGetIt,
): Promise<Record<string, string[]>> {
  const dressed = sheets.map((sheet) => [sheet, dress(sheet)] as const);
  return page.evaluate(
    ({ dressed, mostPush: maxPush }) => {
      const { check } = window as unknown as { check: (css: string, maxPush: number) => string[] };
      const found: [string, string[]][] = [];
      for (const [sheet, css] of dressed) {
        const wrong = css.includes("</") ? ["it ends the element it stands in"] : check(css, maxPush);
        if (wrong.length > 0) found.push([sheet, wrong.slice(0, 5)]);
      }
      return Object.fromEntries(found);
    },
    { dressed, mostPush: MAX_PUSH },
  );
}

function asBuyersGetIt(custom_css: string): string {
  return buildCheckoutTheme({ settings: mergeCheckoutSettings({ custom_css }) }).css[1] ?? "";
}
