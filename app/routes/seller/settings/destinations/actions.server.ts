import { data } from "@remix-run/node";
import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import {
  deleteDestination,
  pauseDestination,
  resumeDestination,
} from "#app/domain/delivery/change-destination.server.ts";
import { kindsOf, listedKindOf } from "#app/domain/delivery/destinations.server.ts";
import { fieldLabels } from "#app/domain/delivery/form-card.ts";
import type { CommonFields, Family, ListedKind } from "#app/domain/delivery/kind.ts";
import { showDestination } from "#app/domain/delivery/list-destinations.server.ts";
import { saveDestination } from "#app/domain/delivery/save-destination.server.ts";
import { testDestination } from "#app/domain/delivery/test-destination.server.ts";
import { listCodes } from "#app/domain/delivery/webhook/list-codes.server.ts";
import { revealSecret, rotateSecret, showWebhook } from "#app/domain/delivery/webhook/webhooks.server.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { formValues } from "#app/routes/seller/settings/destinations/loader.server.ts";
import {
  DAYS_MISSING,
  resendMany,
  resendOne,
  sameLogPage,
} from "#app/routes/seller/settings/destinations/resend.server.ts";
import { formVersion, namesById } from "#app/server/forms/conflict.server.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { saveForm } from "#app/server/forms/save-form.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import { FAMILIES } from "#app/ui/seller/destination/families.tsx";
import type { TypedTest } from "#app/ui/seller/destination/test.tsx";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";

export type Posted = { family: Family; seller: SignedIn; id: string; form: FormData; request: Request };

/** The reply of actions that do not redirect. */
type Reply = {
  result?: FormReply;
  testResult?: { success: boolean; message: string };
  /** A webhook's secret, after a recent sign-in. */
  secret?: string;
  /** The values of a test that was not sent, and which field is wrong. */
  typed?: TypedTest;
};

function reply(answer: Reply, status = 200) {
  return data({ result: null, testResult: null, secret: null, typed: null, ...answer }, status);
}

/** A button's action; `item` is what follows the colon of its name. */
type Action = (posted: Posted, item: string) => Promise<Response | ReturnType<typeof reply>>;

const ACTIONS: Record<string, Action> = {
  pause: async (posted) => {
    const { family, seller, id } = posted;
    await pauseDestination(family, seller.id, id);
    return redirectWithMessage(sameLogPage(posted), FAMILIES[family].paused);
  },
  resume: async (posted) => {
    const { family, seller, id } = posted;
    await resumeDestination(family, seller.id, id);
    return redirectWithMessage(sameLogPage(posted), FAMILIES[family].resumed);
  },
  delete: async ({ family, seller, id }) => {
    await deleteDestination(family, seller.id, id);
    return redirectWithMessage(paths.destinations(family), FAMILIES[family].deleted);
  },
  resend: (posted, deliveryId) => resendOne(posted, deliveryId),
  "resend-span": async (posted) => {
    const done = await resendMany(posted);
    return done ?? reply({ testResult: { success: false, message: DAYS_MISSING } }, 400);
  },
  save,
  test,
  reveal: (posted) => replySecret(posted, async () => {}),
  rotate: (posted) => {
    const { seller, id, form, request } = posted;
    const shown = form.get("secret")?.toString();
    return replySecret(posted, () => rotateSecret(seller.id, id, requestOrigin(request, seller), shown));
  },
};

/** Runs the action of a button of a destination's page. */
export async function runAction(posted: Posted) {
  const [intent = "", item = ""] = String(posted.form.get("intent")).split(":");
  const action = pick(ACTIONS, intent);
  if (!action) throw new Response("Ação desconhecida", { status: 400 });
  try {
    return await action(posted, item);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
    const { message, status } = toFailure(error, posted.request);
    return reply({ testResult: { success: false, message } }, status);
  }
}

/** The kind that a form is of; the first of its family where it names none. */
export function postedKind(family: Family, form: FormData): ListedKind {
  const kinds = kindsOf(family);
  return kinds.find(({ id }) => id === form.get("kind")) ?? kinds[0]!;
}

async function save(posted: Posted) {
  const { family, seller, id, form, request } = posted;
  const { schema, cards } = postedKind(family, form);
  const view = () => showDestination(family, seller.id, id);
  const failed = await saveForm(parseForm(form, schema), posted, {
    save: async (fields) => {
      await requireRecentSignIn(posted, family);
      const origin = requestOrigin(request, seller);
      await saveDestination(family, seller.id, id, fields as CommonFields, origin, formVersion(form));
    },
    current: async () => {
      const [current, codes] = await Promise.all([view(), listCodes(seller.id)]);
      const products = codes.filter(({ kind }) => kind === "product");
      const labels = fieldLabels(cards, namesById(products));
      return { saved: formValues(current, codes), version: current.version, labels };
    },
    token: { field: "token", mask: async () => (await view()).token },
  });
  if (failed) return reply({ result: failed.result }, failed.status);
  return redirectWithMessage(paths.destination(family, id, "tab=configuracao"), FAMILIES[family].saved);
}

/** More than any field of a test holds. */
const MAX_TYPED = 500;

async function test({ family, seller, id, form, request }: Posted) {
  const { kind, events } = await showDestination(family, seller.id, id);
  const { fields } = listedKindOf(kind).test;
  const names = fields.flatMap((field) => (field.type === "event" ? [] : [field.name]));
  const values = Object.fromEntries(names.map((name) => [name, String(form.get(name) ?? "")]));
  const event = fields.some(({ type }) => type === "event")
    ? DELIVERY_EVENTS.find((one) => one === form.get("event"))
    : events[0];
  if (!event || Object.values(values).some(({ length }) => length > MAX_TYPED))
    throw new Response("Teste desconhecido", { status: 400 });
  try {
    await throttle("outside-call", request, seller.id);
    const { status, text: outcome, message } = await testDestination(family, seller.id, id, event, values);
    if (status === "sent") return redirectWithMessage(paths.destination(family, id), message);
    const again = status === "queued" ? " Vamos tentar de novo sozinhos." : "";
    const failure = `${FAMILIES[family].testFailed} ${outcome.text ?? ""}${again}`;
    return reply({ testResult: { success: false, message: failure } });
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
    const { message, field = null, status } = toFailure(error, request);
    // Not repeated if it is shown at the field.
    const isShown = fields.some((one) => one.type === "email" && one.name === field);
    const shown = isShown ? {} : { testResult: { success: false, message } };
    return reply({ ...shown, typed: { values, field, message } }, status);
  }
}

/** A webhook's secret. @throws Refusal not-found for other kinds */
async function replySecret(posted: Posted, change: () => Promise<void>) {
  const { family, seller, id } = posted;
  if (family !== "webhook") throw new Response("Ação desconhecida", { status: 400 });
  await requireRecentSignIn(posted, family);
  await showWebhook(seller.id, id);
  await change();
  return reply({ secret: await revealSecret(seller.id, id) });
}
