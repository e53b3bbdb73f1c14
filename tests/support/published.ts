import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { z } from "zod";
import type { Says } from "#app/web/openapi/says.ts";

type Said = { loader?: unknown };

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const compiled = new WeakMap<z.ZodType, ValidateFunction>();

/** Expects an answer of the API to be what is published of it; a route that publishes nothing may answer anything. */
export async function expectPublished(route: Said, method: string, answer: Response): Promise<void> {
  const published = (route.loader as { says?: Partial<Record<string, Says>> } | undefined)?.says ?? {};
  if (Object.keys(published).length === 0 || answer.status === 304) return;
  // Loaded here: what is a page's test needs no environment.
  const [{ schemaOf }, { refusal }, { now }] = await Promise.all([
    import("#app/web/openapi/document.server.ts"),
    import("#app/web/openapi/answers.server.ts"),
    import("#app/web/openapi/says.ts"),
  ]);
  const says = published[method];
  const isFine = answer.status < 400;
  if (isFine) expect(answer.status, `${method} status`).toBe(says?.status ?? 200);
  const schema = isFine ? now(says!.answer) : refusal;
  let fits = compiled.get(schema);
  if (!fits) {
    fits = ajv.compile(schemaOf(schema, "output"));
    compiled.set(schema, fits);
  }
  const body = await answer.clone().json();
  fits(body);
  expect(fits.errors ?? [], `${method} ${says?.summary} ${answer.status} ${JSON.stringify(body)}`).toEqual(
    [],
  );
}
