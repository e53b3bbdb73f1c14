import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { cleanText } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";
import { type CallAnswer, CallError } from "#app/platform/http.server.ts";
import { logNoAnswer, measureCall, outcomeOf } from "#app/platform/measure-call.server.ts";
import {
  type AddressRules,
  checkedLookup,
  DEFAULT_RULES,
  ForbiddenAddress,
  isOperatorUrl,
  parseOutgoingUrl,
} from "#app/platform/outgoing-address.server.ts";
import { requestIdHeader } from "#app/platform/request-id.server.ts";

type Init = {
  method: string;
  headers: Record<string, string>;
  body: string;
  /** The service name under which the call is measured. */
  service?: string;
  timeoutMs?: number;
  maxBytes?: number;
  /** Bytes beyond `maxBytes` are not read, and are no error. */
  truncate?: boolean;
};

/**
 * Calls a URL that a seller typed. Only addresses of the public internet are reached, and exactly those that were
 * checked; redirects are not followed. Default limits: 10 s, 64 KiB.
 * @throws ForbiddenAddress; CallError if no complete answer arrived
 */
export async function callUntrustedUrl(
  address: string,
  init: Init,
  rules: AddressRules = DEFAULT_RULES,
): Promise<CallAnswer> {
  const url = parseOutgoingUrl(address, rules);
  const {
    method,
    headers,
    body,
    service = "other",
    timeoutMs = 10 * SECOND,
    maxBytes = 64 * 1024,
    truncate,
  } = init;
  const signal = AbortSignal.timeout(timeoutMs);
  const recordOutcome = measureCall(service);
  try {
    const response = await send(url, method, headers, body, signal, rules);
    const responseBody = await readLimited(response, maxBytes, truncate);
    recordOutcome(outcomeOf(response.statusCode ?? 0));
    return {
      status: response.statusCode ?? 0,
      headers: new Headers(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)] as [string, string]),
      ),
      body: responseBody,
    };
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw error;
    recordOutcome(signal.aborted ? "timeout" : "network");
    if (error instanceof CallError) throw error;
    logNoAnswer(service, signal.aborted ? signal.reason : error);
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
      headers: {
        ...headers,
        ...requestIdHeader(),
        "Content-Length": String(Buffer.byteLength(body)),
        // Without it a server may pack its answer, which is not unpacked here.
        "Accept-Encoding": "identity",
      },
      signal,
      // A pooled connection would belong to an earlier resolution of the name.
      agent: false,
      ...(isOperatorUrl(url) ? {} : { lookup: checkedLookup(rules) }),
    });
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

async function readLimited(response: IncomingMessage, maxBytes: number, truncate = false): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes && truncate) {
      chunks.push(chunk.subarray(0, chunk.length - (size - maxBytes)));
      break;
    }
    if (size > maxBytes) throw new CallError("too-large", null);
    chunks.push(chunk);
  }
  return cleanText(new TextDecoder().decode(Buffer.concat(chunks)));
}
