import type { z } from "zod";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";

/** Parses an answer as JSON of that shape; null where it is anything else. */
export function readAnswer<T extends z.ZodType>(body: string, shape: T): z.output<T> | null {
  try {
    return shape.safeParse(parseUntrusted(body)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
