import { StorageUnavailable } from "#app/platform/storage/blob-store.ts";

/** The answer of a service that stopped in the middle of it. */
export const brokenOff = (cause: unknown): Error =>
  new StorageUnavailable("the storage service broke its answer off", { cause });

export function textOf(answer: Response): Promise<string> {
  return answer.text().catch((cause) => {
    throw brokenOff(cause);
  });
}

/** Answers that mean the service is busy or misconfigured (keys, clock, region, bucket): its files still exist. */
const UNAVAILABLE = {
  statuses: [301, 307, 401, 403, 429],
  codes: ["NoSuchBucket", "AuthorizationHeaderMalformed", "InvalidRegionName"],
};

/** The error for a failed request to the service. */
export function storageError({ status }: Response, what: string, code = ""): Error {
  const message = `storage refused to ${what}: ${status} ${code}`.trimEnd();
  const isUnavailable =
    status >= 500 || UNAVAILABLE.statuses.includes(status) || UNAVAILABLE.codes.includes(code);
  return isUnavailable ? new StorageUnavailable(message) : new Error(message);
}

/** The text of the first element of that name. */
export function elementText(xml: string, name: string): string | undefined {
  const at = xml.indexOf(`<${name}>`);
  const end = xml.indexOf(`</${name}>`, at);
  if (at < 0 || end < 0) return undefined;
  return xml
    .slice(at + name.length + 2, end)
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** For a text in XML that we send. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
