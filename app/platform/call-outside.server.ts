import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { cleanText } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";
import { type CallAnswer, CallError } from "#app/platform/http.server.ts";
import { measureCall, outcomeOf } from "#app/platform/measure-call.server.ts";
import {
  type AddressRules,
  checkedLookup,
  ForbiddenAddress,
  isConfigured,
  RULES,
  readOutsideUrl,
} from "#app/platform/outgoing-address.server.ts";
import { requestIdHeader } from "#app/platform/request-id.server.ts";

type Init = {
  method: string;
  headers: Record<string, string>;
  body: string;
  /** As what the call is measured. */
  service?: string;
  timeoutMs?: number;
  maxBytes?: number;
  /** What is beyond `maxBytes` is not read, and is no error. */
  cut?: boolean;
};

/**
 * Calls an address that a seller typed. Only the public internet is reached, by the very addresses that were checked;
 * redirects are not followed. Default limits: 10 s, 64 KiB.
 * @throws ForbiddenAddress; CallError where no whole answer came
 */
export async function callOutside(
  address: string,
  init: Init,
  rules: AddressRules = RULES,
): Promise<CallAnswer> {
  const url = readOutsideUrl(address, rules);
  const {
    method,
    headers,
    body,
    service = "other",
    timeoutMs = 10 * SECOND,
    maxBytes = 64 * 1024,
    cut,
  } = init;
  const signal = AbortSignal.timeout(timeoutMs);
  const ended = measureCall(service);
  try {
    const response = await send(url, method, headers, body, signal, rules);
    const answered = await readLimited(response, maxBytes, cut);
    ended(outcomeOf(response.statusCode ?? 0));
    return {
      status: response.statusCode ?? 0,
      headers: new Headers(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)] as [string, string]),
      ),
      body: answered,
    };
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw error;
    ended(signal.aborted ? "timeout" : "network");
    if (error instanceof CallError) throw error;
    throw new CallError(signal.aborted ? "timeout" : "network", error);
  }
}

function send(
  url: URL,
  method: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
  rules: AddressRules,
): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      headers: { ...headers, ...requestIdHeader(), "Content-Length": String(Buffer.byteLength(body)) },
      signal,
      // A kept connection would belong to an earlier look at the name.
      agent: false,
      ...(isConfigured(url) ? {} : { lookup: checkedLookup(rules) }),
    });
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

async function readLimited(response: IncomingMessage, maxBytes: number, cut = false): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes && cut) {
      chunks.push(chunk.subarray(0, chunk.length - (size - maxBytes)));
      break;
    }
    if (size > maxBytes) throw new CallError("too-large", null);
    chunks.push(chunk);
  }
  return cleanText(Buffer.concat(chunks).toString("utf8"));
}
