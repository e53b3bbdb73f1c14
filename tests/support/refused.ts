import { expect } from "vitest";

/** What the API says where it refuses; `more` stands beside it. */
export function refused(text: unknown, more: object = {}) {
  return { error: text, message: text, request_id: expect.any(String), ...more };
}
