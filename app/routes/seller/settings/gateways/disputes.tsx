import { Form } from "@remix-run/react";
import { Card } from "#app/ui/seller/card.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** Whether buyers keep access while their payment is disputed: one button for the other choice. */
export function DisputesCard({ suspends }: { suspends: boolean }) {
  return (
    <Card
      title="Contestações"
      text="Quando quem pagou contesta o PIX (MED) ou o cartão (chargeback) no banco, a decisão leva dias ou meses. Você escolhe o que acontece com o acesso até lá. Depois de uma contestação aceita ele termina."
    >
      <Form method="post" preventScrollReset className="flex flex-col items-start gap-4 text-sm">
        <p>
          {suspends
            ? "O acesso do comprador fica suspenso até a decisão."
            : "O comprador mantém o acesso até a decisão."}
        </p>
        <SubmitButton intent={suspends ? "disputes:keep" : "disputes:suspend"} className="border-base-300">
          {suspends ? "Manter o acesso" : "Suspender o acesso"}
        </SubmitButton>
      </Form>
    </Card>
  );
}
