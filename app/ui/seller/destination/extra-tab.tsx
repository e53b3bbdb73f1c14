import type { ItemCodes } from "#app/domain/delivery/webhook/list-codes.server.ts";
import type { WebhookForm } from "#app/domain/delivery/webhook/settings.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { Codes } from "#app/ui/seller/destination/codes.tsx";
import { HowToReceive } from "#app/ui/seller/destination/how-to-receive.tsx";
import { SecretCard } from "#app/ui/seller/destination/secret.tsx";

type Shown = {
  tab: string;
  codes: ItemCodes[];
  /** Of a webhook: its format, and its secret as a mask or, after a recent sign-in, as it is. */
  form: WebhookForm;
  secret: string;
  revealed: string | null;
  previousUntil: string | null;
};

/** What a kind shows on a tab of its own. */
export function ExtraTab({ tab, codes, form, ...webhook }: Shown) {
  if (tab === "receber")
    return (
      <>
        <SecretCard secret={webhook.secret} revealed={webhook.revealed} until={webhook.previousUntil} />
        <HowToReceive form={form} />
        <Codes form={form} codes={codes} />
      </>
    );
  if (tab === "produtos")
    return (
      <>
        <Steps />
        <Codes form="standard" codes={codes} text="O código que cada produto leva na entrega." />
      </>
    );
  return null;
}

/** What has to be configured at Cademí, which decides what a delivery opens. */
function Steps() {
  return (
    <Card title="Ligar os produtos na Cademí">
      <ol className="flex list-decimal flex-col gap-2 pl-5 text-sm">
        <li>Na Cademí, abra a entrega que o produto libera.</li>
        <li>Ligue a ela o código do produto abaixo. Ofertas adicionais e upsells têm códigos próprios.</li>
        <li>Envie um teste com o seu e-mail e confira se o acesso chegou.</li>
      </ol>
    </Card>
  );
}
