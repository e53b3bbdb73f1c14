import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData } from "@remix-run/react";
import { Download } from "lucide-react";
import { closeAccount, previewClosing, reopenAccount } from "#app/domain/erasure/close-account.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { anonymizationDate } from "#app/domain/sale/closed-shop.ts";
import { formatDate } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { readPostedForm } from "#app/server/forms/forms.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireSellerEvenClosed } from "#app/server/session/guards.server.ts";
import { readResumedForm, requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
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
    waiting: { ...(await previewClosing(seller.id)), ...(await countOwed(seller.id)) },
  };
}

/**
 * What waits for the seller themselves. `answers`: refund requests that they decide; `actions`: sales with refunds that were not
 * made, disputes, payments that do not count.
 */
async function countOwed(sellerId: string): Promise<{ answers: number; actions: number }> {
  const ofSales = (await findActionItems(sellerId)).flatMap((item) => ("saleId" in item ? [item] : []));
  const isQuestion = ({ kind }: { kind: string }) => kind === "refund-question";
  const sales = ofSales.flatMap((item) => (isQuestion(item) ? [] : [item.saleId]));
  return { answers: ofSales.filter(isQuestion).length, actions: new Set(sales).size };
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

type ReopenProps = { on: string; anonymizedOn: string | null; waiting: Waiting };

function Reopen({ on, anonymizedOn, waiting }: ReopenProps) {
  if (anonymizedOn === null)
    return (
      <Card title={`Encerrada em ${on}`}>
        <p className="text-sm">
          Os 30 dias passaram, e a conta não pode mais ser reaberta: os seus dados e os de quem comprou estão
          sendo apagados. As vendas com pagamento, reembolso ou contestação em andamento esperam até isso
          terminar, por no máximo 90 dias.
        </p>
      </Card>
    );
  return (
    <Card title={`Encerrada em ${on}`}>
      <div className="flex flex-col gap-4 text-sm">
        <p>
          A sua loja está fora do ar e as chaves de API não funcionam. Quem comprou ainda abre o que comprou.
          Em <b>{anonymizedOn}</b> os seus dados e os de quem comprou são apagados; valores e datas das vendas
          ficam. Se você reabrir a conta, quem recebeu o e-mail sobre o fim da loja é avisado de que ela
          voltou.
        </p>
        {waiting.answers + waiting.actions > 0 && (
          <Alert
            tone="warning"
            live={false}
            text={`${describeOwed(waiting)} por você: reabra a conta antes de ${anonymizedOn} para resolver.`}
          />
        )}
        <Form method="post">
          <SubmitButton intent="reopen" pending="Reabrindo..." className="btn-primary">
            Reabrir a conta
          </SubmitButton>
        </Form>
      </div>
    </Card>
  );
}

type Waiting = { payable: number; questions: number; answers: number; actions: number };

/** As in '2 pedidos de reembolso e 1 venda esperam'. */
function describeOwed({ answers, actions }: Waiting): string {
  const owed = [
    ...(answers > 0 ? [answers === 1 ? "1 pedido de reembolso" : `${answers} pedidos de reembolso`] : []),
    ...(actions > 0 ? [actions === 1 ? "1 venda" : `${actions} vendas`] : []),
  ];
  return `${owed.join(" e ")} ${answers + actions === 1 ? "espera" : "esperam"}`;
}

function Close({ email, waiting }: { email: string; waiting: Waiting }) {
  return (
    <Card title="Encerrar a conta" text={`A conta de ${email} e a sua loja.`}>
      <div className="flex flex-col gap-4 text-sm">
        <ul className="flex list-disc flex-col gap-2 pl-5">
          <li>
            <b>Agora:</b> os checkouts saem do ar, as chaves de API param e as outras sessões se encerram.
          </li>
          <li>
            <b>Por 30 dias:</b> quem comprou continua com o acesso; a página da compra e um e-mail, enviado
            uma hora depois, dizem até quando. Você entra, baixa os seus dados e pode reabrir a conta.
          </li>
          <li>
            <b>Depois:</b> saem os seus dados, os de quem comprou, os produtos e os arquivos. Ficam valores,
            datas e números das vendas: a lei manda guardar.
          </li>
          <li>
            <b>Um PIX pago depois de encerrar</b> é reconhecido e entregue a quem pagou. Reembolsos pedidos na
            garantia seguem; guarde saldo no provedor de pagamento.
          </li>
        </ul>
        {waiting.payable + waiting.questions > 0 && (
          <Alert tone="warning" live={false}>
            {[
              waiting.payable > 0 &&
                `${waiting.payable} ${waiting.payable === 1 ? "PIX aberto" : "PIX abertos"}`,
              waiting.questions > 0 &&
                `${waiting.questions} ${waiting.questions === 1 ? "pedido de reembolso" : "pedidos de reembolso"} em andamento`,
            ]
              .filter(Boolean)
              .join(" e ")}
            .{" "}
            <Link to={paths.reports()} className="link">
              Ver as vendas
            </Link>
          </Alert>
        )}
        {waiting.actions > 0 && (
          <Alert tone="warning" live={false}>
            {waiting.actions === 1 ? "1 venda espera" : `${waiting.actions} vendas esperam`} por você:
            devoluções que não saíram, contestações ou e-mails que não chegaram. Resolva antes de encerrar.{" "}
            <Link to={paths.dashboard()} className="link">
              Ver em “Precisa de você”
            </Link>
          </Alert>
        )}
        <Form method="post" noValidate className="flex flex-col gap-4">
          <label className="flex min-h-11 items-center gap-3">
            <input type="checkbox" name="understood" value="yes" className="checkbox" />
            <span>
              Entendi: a loja sai do ar agora, e em 30 dias os dados são apagados de vez (em até 90, se algo
              ainda estiver em andamento).
            </span>
          </label>
          <SubmitButton intent="close" pending="Encerrando..." className="btn-error self-start">
            Encerrar a conta
          </SubmitButton>
        </Form>
      </div>
    </Card>
  );
}

export const meta: MetaFunction = () => [{ title: "Encerrar conta · Checkintelli" }];
