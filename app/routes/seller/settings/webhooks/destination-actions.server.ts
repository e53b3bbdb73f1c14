import { data } from "@remix-run/node";
import {
  deleteDestination,
  pauseDestination,
  resumeDestination,
} from "#app/domain/delivery/change-destination.server.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { DAYS_MISSING, resendMany, resendOne } from "#app/routes/seller/settings/webhooks/resend.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";

export type Posted = { seller: SignedIn; id: string; form: FormData; request: Request };

/** The reply of actions of a destination's page that do not redirect. */
type Reply = {
  result?: FormReply;
  testResult?: { success: boolean; message: string };
  /** A webhook's secret, after a recent sign-in. */
  secret?: string;
  /** The values of a test that was not sent, and which field is wrong. */
  typed?: { email: string; item: string; field: string | null; message: string };
};

/** A button's action; `item` is what follows the colon of its name. */
export type Action = (posted: Posted, item: string) => Promise<Response | ReturnType<typeof reply>>;

export function reply(answer: Reply, status = 200) {
  return data({ result: null, testResult: null, secret: null, typed: null, ...answer }, status);
}

/** Runs the action of a button of a destination's page. */
export async function runAction(actions: Record<string, Action>, posted: Posted) {
  const [intent = "", item = ""] = String(posted.form.get("intent")).split(":");
  const action = pick(actions, intent);
  if (!action) throw new Response("Ação desconhecida", { status: 400 });
  try {
    return await action(posted, item);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
    const { message, status } = toFailure(error, posted.request);
    return reply({ testResult: { success: false, message } }, status);
  }
}

/** Actions of every destination's page: switch it off and on, delete it, and resend. */
export function commonActions(
  family: Parameters<typeof pauseDestination>[0],
  pages: { own: (id: string) => string; all: () => string },
  messages: { paused: string; resumed: string; deleted: string },
) {
  return {
    pause: async ({ seller, id }) => {
      await pauseDestination(family, seller.id, id);
      return redirectWithMessage(pages.own(id), messages.paused);
    },
    resume: async ({ seller, id }) => {
      await resumeDestination(family, seller.id, id);
      return redirectWithMessage(pages.own(id), messages.resumed);
    },
    delete: async ({ seller, id }) => {
      await deleteDestination(family, seller.id, id);
      return redirectWithMessage(pages.all(), messages.deleted);
    },
    resend: (posted, deliveryId) => resendOne(family, posted, deliveryId, pages.own(posted.id)),
    "resend-span": async (posted) => {
      const done = await resendMany(family, posted, pages.own(posted.id));
      return done ?? reply({ testResult: { success: false, message: DAYS_MISSING } }, 400);
    },
  } satisfies Record<string, Action>;
}
