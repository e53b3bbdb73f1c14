import { z } from "zod";
import { line, text, url } from "#app/domain/catalog/fields.server.ts";

type Issues = { issues: { code: "custom"; message: string; input: unknown }[] };

/** Text of several lines that may be empty. */
export function setText(label: string, max: number) {
  return text(label, max).transform((value) => value ?? "");
}

/** One line that may be empty; `otherwise` stands in for an empty one. */
export function setLine(label: string, max: number, otherwise = "") {
  return line(label, max).transform((value) => value ?? otherwise);
}

/** An http or https address, or empty. */
export function setUrl(label: string, as?: "picture") {
  return url(label, as).transform((value) => value ?? "");
}

/** A colour as `#rrggbb` or `#rgb`; empty is the default. */
export function setColor(label: string, byDefault: string) {
  return judged((value, refuse): string => {
    const color = String(value ?? "").trim() || byDefault;
    const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color);
    if (short)
      return `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join("")}`;
    return /^#[0-9a-f]{6}$/i.test(color) ? color : refuse(`${label} deve ser uma cor como #3B82F6`);
  });
}

/** One of a few words or numbers; a form sends numbers as text. */
export function setChoice<T extends string | number>(label: string, choices: readonly T[]) {
  return judged((value, refuse): T => {
    const found = choices.find((one) => String(one) === String(value));
    return found ?? refuse(`${label}: escolha uma das opções (${choices.join(", ")})`);
  });
}

/** A whole number from `least` to `most`. */
export function setNumber(least: number, most: number, message: string) {
  return judged((value, refuse): number => {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    const fits = typeof number === "number" && Number.isInteger(number) && number >= least && number <= most;
    return fits ? (number as number) : refuse(message);
  });
}

/** A field that reads a form's text and JSON alike. */
function judged<T>(read: (value: unknown, refuse: (message: string) => T) => T) {
  return z
    .unknown()
    .optional()
    .transform((value, ctx): T => {
      return read(value, (message) => {
        (ctx as unknown as Issues).issues.push({ code: "custom", message, input: value });
        return z.NEVER;
      });
    });
}
