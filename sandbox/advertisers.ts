import express from "express";
import { z } from "zod";
import type { Conversions } from "./conversions.ts";
import type { Faults } from "./faults.ts";
import { SECOND, type Time } from "./time.ts";

type Parts = { time: Time; faults: Faults; conversions: Conversions };

const DAY = 24 * 60 * 60 * SECOND;
const KNOWN_TOKEN = /^sandbox/;
const HASH = /^[0-9a-f]{64}$/;
const hashes = z.array(z.string().regex(HASH)).optional();
const body = () => express.json({ limit: "256kb", type: () => true });

const metaEvent = z.looseObject({
  event_name: z.string().min(1),
  event_time: z.number().int(),
  event_id: z.string().optional(),
  action_source: z.enum(["website", "system_generated", "app", "email", "other"]),
  event_source_url: z.string().optional(),
  user_data: z.looseObject({
    ...Object.fromEntries(["em", "ph", "fn", "ln", "country", "external_id"].map((name) => [name, hashes])),
    client_user_agent: z.string().optional(),
    fbp: z
      .string()
      .regex(/^fb\.\d\.\d{13}\./)
      .optional(),
    fbc: z
      .string()
      .regex(/^fb\.\d\.\d{13}\./)
      .optional(),
  }),
  custom_data: z.looseObject({ currency: z.string().optional(), value: z.number().optional() }),
});

/**
 * `/meta`: Conversions API. One event that is too old, or one wrong hash, and the whole request is rejected.
 */
export function metaRoutes({ time, faults, conversions }: Parts): express.Router {
  const router = express.Router();
  router.post("/:version/:pixel/events", faults.arrive("meta", "events"), body(), (request, response) => {
    const refuse = (code: number, message: string, error_subcode?: number) =>
      response.status(code === 190 ? 401 : 400).json({
        error: {
          message,
          type: "OAuthException",
          code,
          error_subcode,
          is_transient: false,
          fbtrace_id: "A1b2",
        },
      });
    const { access_token, data, test_event_code } = request.body ?? {};
    if (!KNOWN_TOKEN.test(String(access_token ?? "")))
      return refuse(190, "Invalid OAuth access token - Cannot parse access token");
    const read = z.array(metaEvent).min(1).max(1000).safeParse(data);
    if (!read.success) return refuse(100, `Invalid parameter: ${read.error.issues[0]?.path.join(".")}`);
    for (const event of read.data) {
      if (time.now() - event.event_time * SECOND > 7 * DAY)
        return refuse(100, "Event Timestamp Too Old", 2804003);
      if (event.event_time * SECOND - time.now() > 60 * SECOND)
        return refuse(100, "Event Timestamp In The Future", 2804004);
      const { currency, value } = event.custom_data;
      if (event.event_name === "Purchase" && (value === undefined || !currency))
        return refuse(100, "Missing value or currency for purchase event", 2804009);
      if (currency !== undefined && !/^[A-Z]{3}$/.test(currency))
        return refuse(100, "Invalid currency", 2804010);
      if (event.action_source === "website" && !(event.user_data.client_user_agent && event.event_source_url))
        return refuse(100, "Missing client_user_agent or event_source_url", 2804019);
    }
    for (const event of read.data)
      conversions.receive({
        service: "meta",
        pixel: String(request.params.pixel),
        event: event.event_name,
        id: event.event_id ?? "",
        isTest: test_event_code !== undefined,
        body: event,
      });
    response.json({ events_received: read.data.length, messages: [], fbtrace_id: "A1b2" });
  });
  return router;
}

const gaBody = z.looseObject({
  client_id: z.string().min(1),
  timestamp_micros: z.number().optional(),
  events: z
    .array(
      z.looseObject({
        name: z.string().regex(/^[a-z]\w{0,39}$/i),
        params: z.record(z.string(), z.unknown()),
      }),
    )
    .min(1)
    .max(25),
});

/**
 * `/ga4`: Measurement Protocol. Always 204; only the debug endpoint validates, and it stores nothing. Source: contracts
 * 4.3.
 */
export function ga4Routes({ time, faults, conversions }: Parts): express.Router {
  const router = express.Router();
  router.post("/mp/collect", faults.arrive("ga4", "collect"), body(), (request, response) => {
    const wrong = wrongInGa(request, time);
    const { events } = gaBody.safeParse(request.body).data ?? {};
    for (const { name, params } of wrong.length > 0 ? [] : (events ?? []))
      conversions.receive({
        service: "ga4",
        pixel: String(request.query.measurement_id),
        event: name,
        id: String(params.transaction_id ?? ""),
        isTest: false,
        body: request.body,
      });
    response.status(204).end();
  });
  router.post("/debug/mp/collect", faults.arrive("ga4", "debug"), body(), (request, response) => {
    response.json({ validationMessages: wrongInGa(request, time) });
  });
  return router;
}

function wrongInGa(request: express.Request, time: Time) {
  const { measurement_id, api_secret } = request.query;
  const message = (fieldPath: string, description: string) => [
    { fieldPath, description, validationCode: "VALUE_INVALID" },
  ];
  if (!/^G-/.test(String(measurement_id))) return message("measurement_id", "Measurement_id is invalid.");
  if (!KNOWN_TOKEN.test(String(api_secret))) return message("api_secret", "Api_secret is invalid.");
  const read = gaBody.safeParse(request.body);
  if (!read.success) {
    const path = read.error.issues[0]?.path.join(".") ?? "";
    return message(path, `Unable to parse Measurement Protocol JSON payload. ${path}`);
  }
  if (time.now() - (read.data.timestamp_micros ?? Date.now() * 1000) / 1000 > 3 * DAY)
    return message("timestamp_micros", "Measurement timestamp is more than 72 hours old.");
  return [];
}

const tiktokEvent = z.looseObject({
  event: z.string().min(1),
  event_time: z.number().int(),
  event_id: z.string().optional(),
  user: z.looseObject({ email: hashes, phone: hashes, external_id: hashes }),
  properties: z.looseObject({ currency: z.string().regex(/^[A-Z]{3}$/), value: z.number() }),
});

/** `/tiktok`: Events API. Always HTTP 200; `code` has the result. */
export function tiktokRoutes({ time, faults, conversions }: Parts): express.Router {
  const router = express.Router();
  router.post(
    /^\/open_api\/v1\.3\/event\/track\/$/,
    faults.arrive("tiktok", "track"),
    body(),
    (request, response) => {
      const answer = (code: number, message: string) =>
        response.json({ code, message, request_id: "20261122", data: {} });
      if (!KNOWN_TOKEN.test(request.get("access-token") ?? ""))
        return answer(40105, "Access token is incorrect or has been revoked.");
      const { event_source, event_source_id, data, test_event_code } = request.body ?? {};
      const read = z.array(tiktokEvent).min(1).max(1000).safeParse(data);
      if (event_source !== "web" || !event_source_id || !read.success)
        return answer(40002, `Invalid value for ${read.error?.issues[0]?.path.join(".") ?? "event_source"}`);
      if (read.data.some(({ event_time }) => time.now() - event_time * SECOND > 7 * DAY))
        return answer(40002, "event_time is more than 7 days old");
      for (const event of read.data)
        conversions.receive({
          service: "tiktok",
          pixel: String(event_source_id),
          event: event.event,
          id: event.event_id ?? "",
          isTest: test_event_code !== undefined,
          body: event,
        });
      answer(0, "OK");
    },
  );
  return router;
}

const kwaiEvent = z.looseObject({
  access_token: z.string(),
  clickid: z.string().min(1),
  event_name: z.string().regex(/^EVENT_/),
  is_attributed: z.literal(1),
  pixelId: z.string().min(1),
  properties: z.string(),
  trackFlag: z.boolean(),
});

/** `/kwai`: identifies a buyer by the click id, and does not deduplicate. */
export function kwaiRoutes({ faults, conversions }: Parts): express.Router {
  const router = express.Router();
  router.post("/log/common/api", faults.arrive("kwai", "api"), body(), (request, response) => {
    const read = kwaiEvent.safeParse(request.body);
    if (!read.success)
      return response.json({
        result: 100110002,
        error_msg: `invalid ${read.error.issues[0]?.path.join(".")}`,
      });
    const { access_token, ...event } = read.data;
    if (!KNOWN_TOKEN.test(access_token))
      return response.json({ result: 100110003, error_msg: "invalid access_token" });
    const { pixelId: pixel, event_name, trackFlag: isTest } = event;
    conversions.receive({ service: "kwai", pixel, event: event_name, id: "", isTest, body: event });
    response.json({ result: 1 });
  });
  return router;
}
