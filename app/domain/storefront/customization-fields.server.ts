import { z } from "zod";
import { lineField, textField, urlField } from "#app/domain/catalog/fields.server.ts";

type Issues = { issues: { code: "custom"; message: string; input: unknown }[] };

/** Text of several lines that may be empty. */
export function textSetting(label: string, max: number) {
  return textField(label, max).transform((value) => value ?? "");
}

/** One line that may be empty; `fallback` replaces an empty one. */
export function lineSetting(label: string, max: number, fallback = "") {
  return lineField(label, max).transform((value) => value ?? fallback);
}

/** An http or https address, or empty. */
export function urlSetting(label: string, as?: "picture") {
  return urlField(label, as).transform((value) => value ?? "");
}

/** A colour as `#rrggbb` or `#rgb`; empty is the default. */
export function colorSetting(label: string, defaultColor: string) {
  return customSetting((value, refuse): string => {
    const color = String(value ?? "").trim() || defaultColor;
    const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color);
    if (short)
      return `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join("")}`;
    return /^#[0-9a-f]{6}$/i.test(color) ? color : refuse(`${label} deve ser uma cor como #3B82F6`);
  });
}

/** One of a few texts or numbers; a form sends numbers as text. */
export function choiceSetting<T extends string | number>(label: string, choices: readonly T[]) {
  return customSetting((value, refuse): T => {
    const found = choices.find((one) => String(one) === String(value));
    return found ?? refuse(`${label}: escolha uma das opções (${choices.join(", ")})`);
  });
}

/** A whole number from `min` to `max`. */
export function numberSetting(min: number, max: number, message: string, fallback?: number) {
  return customSetting((value, refuse): number => {
    if (value === undefined && fallback !== undefined) return fallback;
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    const isValid = typeof number === "number" && Number.isInteger(number) && number >= min && number <= max;
    return isValid ? (number as number) : refuse(message);
  });
}

/** A field that reads both form text and JSON. */
function customSetting<T>(read: (value: unknown, refuse: (message: string) => T) => T) {
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
