import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { z } from "zod";
import { parseJson } from "#app/domain/gateway/providers/call-provider.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { callWoovi } from "#app/domain/gateway/providers/woovi/call-woovi.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";

/** How long unknown signatures do not fetch the keys again: forged ones must not make us call for each. */
const REFETCH_PAUSE = MINUTE;

const keysResponse = z.object({ public_keys: z.array(z.object({ key: z.string() })) });

let keys: KeyObject[] = [];
let fetchedAt = Number.NEGATIVE_INFINITY;
let fetching: Promise<void> | null = null;

/**
 * Whether a text was signed with one of Woovi's keys (RSA, SHA-256). The keys are kept; one that verifies nothing fetches
 * them again, as there may be a new one, once a minute at most.
 * @param signature base64
 */
export async function isSignedByWoovi(text: string, signature: string): Promise<boolean> {
  if (signature === "") return false;
  if (isSignedWith(keys, text, signature)) return true;
  if (performance.now() - fetchedAt < REFETCH_PAUSE && !fetching) return false;
  fetching ??= fetchKeys().finally(() => {
    fetching = null;
  });
  await fetching;
  return isSignedWith(keys, text, signature);
}

/** Whether one of these keys signed a text. */
export function isSignedWith(publicKeys: KeyObject[], text: string, signature: string): boolean {
  const [signed, given] = [Buffer.from(text), Buffer.from(signature, "base64")];
  return publicKeys.some((key) => verify("RSA-SHA256", signed, key, given));
}

async function fetchKeys(): Promise<void> {
  fetchedAt = performance.now();
  try {
    const answer = await callWoovi(null, "GET", "/api/v1/webhook/public-keys");
    const body = keysResponse.safeParse(parseJson(answer.body));
    if (body.success) keys = body.data.public_keys.flatMap(({ key }) => readKey(key));
    else log.warn({ status: answer.status }, "no public keys in the answer");
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // The sender tries again, and by then the keys may be fetched.
    fetchedAt = Number.NEGATIVE_INFINITY;
    log.warn({ kind: error.kind, error: error.message }, "public keys not fetched");
  }
}

function readKey(pem: string): KeyObject[] {
  try {
    return [createPublicKey(pem)];
  } catch {
    return [];
  }
}
