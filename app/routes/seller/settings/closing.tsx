import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { Download } from "lucide-react";
import { closeAccount, reopenAccount } from "#app/domain/erasure/close-account.server.ts";
import { anonymizationDate } from "#app/domain/sale/closed-shop.ts";
import { formatDate } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { Close, Reopen } from "#app/routes/seller/settings/closing-cards.tsx";
import { countWaiting } from "#app/routes/seller/settings/count-waiting.server.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSellerEvenClosed } from "#app/server/session/guards.server.ts";
import { readResumedForm, requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

/** Where an account is closed, its data downloaded, and the closing undone. */
export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSellerEvenClosed(request);
  const { closedAt } = seller;
  const ends = closedAt && anonymizationDate(closedAt);
  return {
    email: seller.email,
    closed: closedAt && {
      on: formatDate(closedAt),
      // Null once it is over, and the account cannot be reopened.
      anonymizedOn: ends! > new Date() ? formatDate(ends!) : null,
    },
    waiting: await countWaiting(seller.id),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSellerEvenClosed(request);
  const form = await readResumedForm(request, seller, await readPostedForm(request));
  const intent = form.get("intent");
  try {
    if (intent === "reopen") {
      await requireRecentSignIn({ seller, form, request }, "closing");
      await reopenAccount(seller.id, requestOrigin(request, seller));
      return redirectWithMessage(paths.dashboard(), "Conta reaberta: a sua loja está no ar.");
    }
    if (form.get("understood") !== "yes")
      throw new Refusal("invalid", "Marque que você entendeu o que acontece.", "understood");
    await requireRecentSignIn({ seller, form, request }, "closing");
    await closeAccount(seller, requestOrigin(request, seller));
    return redirectWithMessage(paths.closing(), "Conta encerrada: a sua loja saiu do ar.");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, message } = toFailure(error, request);
    return data({ failed: message }, { status });
  }
}

export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orUnreachable(serverAction<typeof action>(), { failed: "Erro interno. Tente novamente." });
}

export const shouldRevalidate = unlessUnreachable;

export default function Closing() {
  const { email, closed, waiting } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof clientAction>();
  return (
    <Screen width="form" title={closed ? "Conta encerrada" : "Encerrar conta"}>
      {reply && "failed" in reply && <Outcome about={reply} tone="error" text={String(reply.failed)} />}
      <div className="flex flex-col gap-6">
        {closed && <Reopen {...closed} waiting={waiting} />}
        <Card
          title="Levar uma cópia"
          text="Um arquivo com a sua conta, as configurações, os produtos e as vendas. Chaves e senhas não vão nele."
        >
          <a href={paths.sellerDataFile()} download className="btn min-h-11">
            <Download className="size-4" aria-hidden="true" />
            Baixar meus dados (JSON)
          </a>
        </Card>
        {!closed && <Close email={email} waiting={waiting} />}
      </div>
    </Screen>
  );
}

export const meta: MetaFunction = () => [{ title: "Encerrar conta · Checkintelli" }];
