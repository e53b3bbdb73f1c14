import { Link } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** What waits for the seller of an account, and for its buyers; `isMore`: at least so many. */
export type Waiting = {
  payable: number;
  questions: number;
  answers: number;
  actions: number;
  isMore: boolean;
};

const atLeast = ({ isMore }: Waiting) => (isMore ? "Pelo menos " : "");

type ReopenProps = { on: string; anonymizedOn: string | null; waiting: Waiting };

/** A closed account, which may be reopened for a while. */
export function Reopen({ on, anonymizedOn, waiting }: ReopenProps) {
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

/** As in '2 pedidos de reembolso e 1 venda esperam'. */
function describeOwed(waiting: Waiting): string {
  const { answers, actions } = waiting;
  const owed = [
    ...(answers > 0 ? [answers === 1 ? "1 pedido de reembolso" : `${answers} pedidos de reembolso`] : []),
    ...(actions > 0 ? [actions === 1 ? "1 venda" : `${actions} vendas`] : []),
  ];
  return `${atLeast(waiting)}${owed.join(" e ")} ${answers + actions === 1 ? "espera" : "esperam"}`;
}

/** What closing an account ends, and the button. */
export function Close({ email, waiting }: { email: string; waiting: Waiting }) {
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
            {atLeast(waiting)}
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
            {atLeast(waiting)}
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
