import { Card } from "#app/ui/seller/card.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** Whether buyers keep access while their payment is disputed. */
export function DisputesCard({ suspends }: { suspends: boolean }) {
  return (
    <ChoiceCard
      title="Contestações"
      text="Quando quem pagou contesta o PIX (MED) ou o cartão (chargeback) no banco, a decisão leva dias ou meses. Você escolhe o que acontece com o acesso até lá. Depois de uma contestação aceita ele termina."
      state={
        suspends
          ? "O acesso do comprador fica suspenso até a decisão."
          : "O comprador mantém o acesso até a decisão."
      }
      intent={suspends ? "disputes:keep" : "disputes:suspend"}
      label={suspends ? "Manter o acesso" : "Suspender o acesso"}
    />
  );
}

/** Whether overpayments are refunded automatically. */
export function OverpaymentsCard({ refunds }: { refunds: boolean }) {
  return (
    <ChoiceCard
      title="Pagamentos em dobro"
      text="Às vezes um comprador paga o mesmo pedido duas vezes. A venda conta uma vez só, e o segundo pagamento deve voltar a ele. Se a causa foi a troca para outro provedor, a devolução é sempre automática."
      state={
        refunds
          ? "O segundo pagamento é devolvido automaticamente, em minutos. Se o provedor recusar, avisamos você."
          : "Você devolve o segundo pagamento na página da venda. Avisamos você e o comprador."
      }
      intent={refunds ? "overpayments:ask" : "overpayments:refund"}
      label={refunds ? "Devolver eu mesmo" : "Devolver automaticamente"}
    />
  );
}

/** A setting with two values: what it is now, and one button for the other one. */
function ChoiceCard(props: { title: string; text: string; state: string; intent: string; label: string }) {
  return (
    <Card title={props.title} text={props.text}>
      <Form method="post" preventScrollReset className="flex flex-col items-start gap-4 text-sm">
        <p>{props.state}</p>
        <SubmitButton intent={props.intent} className="border-base-300">
          {props.label}
        </SubmitButton>
      </Form>
    </Card>
  );
}
