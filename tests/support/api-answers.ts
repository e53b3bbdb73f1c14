import { Ajv2020 } from "ajv/dist/2020.js";
import type { App } from "#tests/support/app.ts";

type Document = { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> };
/** What is wrong with an answer of the API; null where it is as published. */
export type ReadAnswer = (method: string, path: string, status: number, text: string) => string | null;

/** Reads answers of the API by the description that the running app publishes itself. */
export async function answersOf(app: App): Promise<ReadAnswer> {
  const document = (await (await app.fetch("/api/openapi.json")).json()) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "api");
  // `/checkout/products/s/{slug}` before `/checkout/products/{id}`: what is said before what stands for anything.
  const paths = Object.keys(document.paths).sort((a, b) => a.split("{").length - b.split("{").length);
  return (method, path, status, text) => {
    // As the router does, which takes no slash at the end for a part.
    const parts = path.split(/[?#]/)[0]!.replace(/\/$/, "").split("/");
    const found = paths.find((one) => fits(one.split("/"), parts));
    const responses = found ? document.paths[found]?.[method.toLowerCase()]?.responses : undefined;
    // Of an address or method that nobody knows, the refusal alone.
    const key = responses?.[status] ? String(status) : "default";
    if (responses && status < 400 && key === "default") return `status ${status} is not published`;
    const at = responses
      ? `api#/paths/${pointer(found!)}/${method.toLowerCase()}/responses/${key}/content/application~1json/schema`
      : "api#/components/schemas/Refusal";
    const check = ajv.getSchema(at);
    if (!check) return `nothing is published at ${at}`;
    return check(JSON.parse(text)) ? null : `${ajv.errorsText(check.errors)} in ${text.slice(0, 300)}`;
  };
}

function fits(pattern: string[], parts: string[]): boolean {
  return (
    pattern.length === parts.length && pattern.every((one, at) => one.startsWith("{") || one === parts[at])
  );
}

function pointer(path: string): string {
  return encodeURIComponent(path.replaceAll("~", "~0").replaceAll("/", "~1"));
}
