import { data } from "@remix-run/node";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import {
  deleteDestination,
  pauseDestination,
  resumeDestination,
} from "#app/domain/outbox/change-destination.server.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { DAYS_MISSING, resendMany, resendOne } from "#app/routes/seller/settings/webhooks/resend.server.ts";
import type { KeptReply } from "#app/ui/seller/form/kept-form.tsx";
import { toFailure } from "#app/web/errors.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";

export type Posted = { seller: SignedIn; id: string; form: FormData; request: Request };

/** What an action of a destination's page answers with where it does not lead on. */
type Reply = {
  result?: KeptReply;
  tried?: { success: boolean; message: string };
  /** A webhook's secret, for who has just shown who they are. */
  secret?: string;
  /** What was typed for a test that was not sent, and which field of it is wrong. */
  typed?: { email: string; item: string; field: string | null; message: string };
};

/** What a button does; `item` is what stands behind the colon of its name. */
export type Action = (posted: Posted, item: string) => Promise<Response | ReturnType<typeof reply>>;

export function reply(said: Reply, status = 200) {
  return data({ result: null, tried: null, secret: null, typed: null, ...said }, status);
}

/** Does what a button of a destination's page asks for. */
export async function runAction(actions: Record<string, Action>, posted: Posted) {
  const [intent = "", item = ""] = String(posted.form.get("intent")).split(":");
  const action = pick(actions, intent);
  if (!action) throw new Response("Ação desconhecida", { status: 400 });
  try {
    return await action(posted, item);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
    const { message, status } = toFailure(error, posted.request);
    return reply({ tried: { success: false, message } }, status);
  }
}

/** What every destination's page can do: switch it off and on, delete it, and send again. */
export function commonActions(
  family: Parameters<typeof pauseDestination>[0],
  pages: { own: (id: string) => string; all: () => string },
  said: { paused: string; resumed: string; deleted: string },
) {
  return {
    pause: async ({ seller, id }) => {
      await pauseDestination(family, seller.id, id);
      return redirectSaying(pages.own(id), said.paused);
    },
    resume: async ({ seller, id }) => {
      await resumeDestination(family, seller.id, id);
      return redirectSaying(pages.own(id), said.resumed);
    },
    delete: async ({ seller, id }) => {
      await deleteDestination(family, seller.id, id);
      return redirectSaying(pages.all(), said.deleted);
    },
    resend: (posted, newsId) => resendOne(family, posted, newsId, pages.own(posted.id)),
    "resend-span": async (posted) => {
      const done = await resendMany(family, posted, pages.own(posted.id));
      return done ?? reply({ tried: { success: false, message: DAYS_MISSING } }, 400);
    },
  } satisfies Record<string, Action>;
}
