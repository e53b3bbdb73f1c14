import type { z } from "zod";
import { parseOutside } from "#app/kit/outside-json.ts";

/** What a service answered, where it is JSON of that shape; null where it is anything else. */
export function readAnswer<T extends z.ZodType>(body: string, shape: T): z.output<T> | null {
  try {
    return shape.safeParse(parseOutside(body)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
