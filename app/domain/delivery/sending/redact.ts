import { escapeHtml } from "#app/kit/html.ts";

/** Removes secrets that a receiver may have repeated: as they are, or as JSON, addresses and HTML write them. */
export function redact(secrets: string[], text: string): string {
  return secrets
    .flatMap(encodings)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, "[oculto]"), text);
}

function encodings(secret: string): string[] {
  if (secret === "") return [];
  const whole = secret.toWellFormed();
  const json = JSON.stringify(whole).slice(1, -1);
  const address = encodeURIComponent(whole);
  const all = [secret, json, inAscii(json), address, address.replaceAll("%20", "+"), escapeHtml(secret)];
  // Many write `/` as `\/` in JSON.
  return [...new Set([...all, ...all.map((one) => one.replaceAll("/", "\\/"))])];
}

/** `José` as `Jos\u00e9`, as PHP writes it. */
function inAscii(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
