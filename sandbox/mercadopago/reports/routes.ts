import express, { type RequestHandler } from "express";
import type { Faults } from "../../faults.ts";
import { HOUR, type Time } from "../../time.ts";
import type { Transactions } from "../../transactions.ts";
import { authenticate, refuse } from "../access.ts";
import type { MercadoPagoSettings } from "../settings.ts";
import { movementsOf, releaseCells, settlementCells, toFile } from "./rows.ts";

interface Parts {
  time: Time;
  faults: Faults;
  transactions: Transactions;
  settings: MercadoPagoSettings;
  onReset: (clear: () => void) => void;
}

interface Report {
  id: number;
  token: string;
  kind: Kind;
  begin: number;
  end: number;
  createdAt: number;
  /** How often its task was read: it is pending the first time. */
  reads: number;
}

interface Settings {
  separator: string;
  columns: string[];
}

/** Files have some hours after their end, as observed. */
const OVERHANG = 12 * HOUR;
const KINDS = { settlement_report: settlementCells, release_report: releaseCells };
type Kind = keyof typeof KINDS;

/** An account's reports as CSV: settings, requests, their tasks and files. Source: Mercado Pago's report documentation. */
export function reportRoutes({ time, faults, transactions, settings, onReset }: Parts): express.Router {
  const reports: Report[] = [];
  const settingsOf = new Map<string, Settings>();
  onReset(() => {
    reports.length = 0;
    settingsOf.clear();
  });
  const router = express.Router();
  const at = (route: string) => faults.arrive("mercadopago", route);
  const body = express.json({ limit: "64kb" });
  const allowed: RequestHandler = (_request, response, next) => {
    if (settings.reports.state === "refused") return refuse(response, 403, "forbidden", "Access denied");
    next();
  };
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const path = `/v1/account/${kind}`;
    const keyOf = (token: string) => `${kind} ${token}`;
    const own = (token: string) => reports.filter((one) => one.token === token && one.kind === kind);

    router.post(path, at("report"), authenticate, allowed, body, (request, response) => {
      // The real answer to an account without settings has no body.
      if (!settingsOf.has(keyOf(response.locals.token))) return response.status(404).end();
      const [begin, end] = [request.body?.begin_date, request.body?.end_date].map(readMoment);
      if (begin === undefined || end === undefined || end <= begin)
        return refuse(response, 400, "invalid_begin_date", "begin_date and end_date are invalid");
      const report = {
        ...{ id: 100_000 + reports.length, token: response.locals.token as string, kind, begin, end },
        ...{ createdAt: time.now(), reads: 0 },
      };
      reports.push(report);
      response.status(202).json(reportJson(report));
    });
    router.get(`${path}/list`, at("reports"), authenticate, allowed, (_request, response) => {
      response.json(own(response.locals.token).map(reportJson));
    });
    router.get(`${path}/config`, at("report-config"), authenticate, allowed, (_request, response) => {
      const found = settingsOf.get(keyOf(response.locals.token));
      if (found) return response.json(found);
      response
        .status(404)
        .json({ error: "config_not_found_for_user", message: "Configuration not found for user" });
    });
    router.post(`${path}/config`, at("report-config"), authenticate, allowed, body, (request, response) => {
      const { columns, frequency, separator = "," } = request.body ?? {};
      if (!Array.isArray(columns) || columns.length === 0 || !frequency)
        return refuse(response, 400, "bad_request", "Error invalid fields");
      const stored = { separator, columns: columns.map(({ key }: { key: string }) => key) };
      settingsOf.set(keyOf(response.locals.token), stored);
      response.status(201).json(request.body);
    });
    router.get(`${path}/task/:id`, at("report-task"), authenticate, allowed, (request, response) => {
      const found = own(response.locals.token).find(({ id }) => String(id) === request.params.id);
      if (!found) return refuse(response, 404, "not_found", "Not found");
      found.reads += 1;
      response.json(reportJson(found));
    });
    router.get(`${path}/:file`, at("report-file"), authenticate, allowed, (request, response) => {
      const found = own(response.locals.token).find((one) => fileNameOf(one) === request.params.file);
      if (!found) return refuse(response, 404, "not_found", "Not found");
      response.type("text/csv").send(fileOf(found));
    });
  }
  return router;

  function reportJson(report: Report) {
    const { id, begin, end, createdAt } = report;
    const isReady = report.reads > 1 && settings.reports.state === "ready";
    const status = settings.reports.state === "failed" ? "failed" : isReady ? "processed" : "pending";
    return {
      ...{ id, user_id: 123456789, begin_date: momentText(begin), end_date: momentText(end), status },
      file_name: isReady ? fileNameOf(report) : "",
      ...{ created_from: "manual", date_created: new Date(createdAt).toISOString() },
    };
  }

  function fileOf({ kind, token, begin, end }: Report): string {
    const { separator, columns } = settingsOf.get(`${kind} ${token}`)!;
    const own = transactions.list().filter((one) => one.provider === "mercadopago" && one.token === token);
    const lines = movementsOf(own, { begin, end: end + OVERHANG }, settings.reports).map(KINDS[kind]);
    const known = columns.filter((name) => name !== settings.reports.withoutColumn);
    return toFile(lines, known, { separator, format: settings.reports.format });
  }
}

function fileNameOf({ kind, id }: Report): string {
  return `${kind.replace("_", "-")}-123456789-${id}.csv`;
}

/** Milliseconds in a date are refused. */
function readMoment(text: unknown): number | undefined {
  return typeof text === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)
    ? Date.parse(text)
    : undefined;
}

function momentText(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, "Z");
}
