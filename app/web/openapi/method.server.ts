import type { z } from "zod";
import { type Args, type Handler, readJson } from "#app/web/api.server.ts";
import { type Late, type Need, now, type Says } from "#app/web/openapi/says.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";
import { requireOwner } from "#app/web/session/recent-sign-in.server.ts";

type Caller = Awaited<ReturnType<typeof requireApiSeller>>;

type Given<N, B> = Args & { seller: N extends Need ? Caller : null } & {
  /** The body by its schema. @throws Refusal invalid, too-large */
  read: () => Promise<B extends z.ZodType ? z.output<B> : never>;
};

/**
 * A method of the API that says what it needs, takes and answers. What it says is what is done: the caller is asked for
 * what `needs` names before anything else, and `read` reads the body by the schema that is published.
 * @param max the most bytes a body may have, where it is not the usual
 */
export function method<N extends Need | undefined = undefined, B extends z.ZodType | undefined = undefined>(
  says: Says & { needs?: N; body?: Late<B>; max?: number },
  handle: (given: Given<N, B>) => Promise<Response | object | null>,
): Handler {
  const { max, ...told } = says;
  return Object.assign(
    async (args: Args) => {
      const seller = await callerFor(args.request, says.needs);
      const read = () => readJson(args.request, now(says.body) as z.ZodType, max);
      return handle({ ...args, seller, read } as Given<N, B>);
    },
    { says: told as Says },
  );
}

async function callerFor(request: Request, needs: Need | undefined): Promise<Caller | null> {
  if (!needs) return null;
  const caller = await requireApiSeller(request, needs === "session" ? "settings" : needs);
  if (needs === "session") requireOwner(caller);
  return caller;
}
