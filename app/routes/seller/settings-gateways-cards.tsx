import type { FieldMetadata } from "@conform-to/react";
import { Link } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import type { GatewayFields, Gateways, Tried } from "#app/routes/seller/settings-gateways-fields.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";
import { PasswordField } from "#app/ui/seller/password-field.tsx";
import { SubmitButton } from "#app/ui/seller/submit-button.tsx";
import { Toggle } from "#app/ui/seller/toggle.tsx";

type Fields = { [K in keyof GatewayFields]-?: FieldMetadata<GatewayFields[K], GatewayFields, string[]> };

const KEEP = "Guardada com criptografia. Deixe como está para manter; apague para remover.";

export function PushinPayCard(props: {
  fields: Fields;
  gateways: Gateways;
  keyRefused: boolean;
  tried: Tried | null;
}) {
  const { fields, gateways, keyRefused, tried } = props;
  const hasKey = gateways.pushinpay_api_key !== "";
  const works = gateways.pushinpay_enabled && hasKey;
  return (
    <Card
      title="PushInPay"
      text="Receba por PIX. A chave está no painel da PushinPay."
      action={
        <Badge tone={keyRefused ? "error" : works ? "success" : "warning"}>
          {keyRefused
            ? "API Key recusada"
            : works
              ? "Recebendo pagamentos"
              : hasKey
                ? "Desligada"
                : "Falta a API Key"}
        </Badge>
      }
    >
      <div className="flex flex-col gap-5">
        {keyRefused && (
          <Notice
            tone="error"
            text="A PushinPay recusou esta API Key quando um comprador quis pagar, e nenhum PIX pôde ser gerado. Salve a chave certa ou, se a conta foi liberada, use Testar Webhook: o aviso some assim que um PIX for gerado."
          />
        )}
        <Toggle field={fields.pushinpay_enabled} label="Receber por PIX com a PushinPay" />
        <PasswordField field={fields.pushinpay_api_key} label="API Key" help={KEEP} autoComplete="off" />
        <PasswordField
          field={fields.pushinpay_webhook_secret}
          label="Segredo do webhook"
          optional
          help="O token que a PushinPay envia em cada aviso (x-pushinpay-token). Se preencher, avisos sem ele são recusados."
          autoComplete="off"
        />
        <div>
          <h3 className="font-medium text-sm">URL do webhook</h3>
          <p className="mt-0.5 text-base-content/70 text-xs">
            Cada PIX já leva este endereço. Configure-o também no painel da PushinPay.
          </p>
          <div className="mt-1.5 flex items-center gap-1 rounded-field border border-base-300 bg-base-200 py-1 pr-1 pl-3">
            <code className="min-w-0 flex-1 break-all py-2 text-xs">{gateways.pushinpay_webhook_url}</code>
            <CopyButton text={gateways.pushinpay_webhook_url} label="Copiar URL do webhook" iconOnly />
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          {hasKey ? (
            <SubmitButton intent="test-webhook" pending="Testando..." className="border-base-300">
              Testar Webhook
            </SubmitButton>
          ) : (
            <button type="button" className="btn min-h-11" disabled aria-describedby="teste-webhook">
              Testar Webhook
            </button>
          )}
          <p id="teste-webhook" className="text-base-content/70 text-xs">
            {hasKey
              ? "Confere a chave na PushinPay e envia um aviso de teste ao endereço acima."
              : "Salve primeiro a API Key do PushInPay"}
          </p>
        </div>
        {tried && <Notice tone={tried.success ? "success" : "error"} text={tried.message} />}
      </div>
    </Card>
  );
}

export function StripeCard({ fields }: { fields: Fields }) {
  return (
    <Card
      title="Stripe"
      text="Guarde aqui as chaves da sua conta. O checkout recebe por PIX; pagamentos com cartão não são feitos por enquanto."
    >
      <div className="flex flex-col gap-5">
        <Toggle field={fields.stripe_enabled} label="Stripe ligado" />
        <PasswordField
          field={fields.stripe_public_key}
          label="Chave publicável"
          help={KEEP}
          autoComplete="off"
        />
        <PasswordField
          field={fields.stripe_secret_key}
          label="Chave secreta"
          help={KEEP}
          autoComplete="off"
        />
      </div>
    </Card>
  );
}

export function TrackingCard({ fields, hasToken }: { fields: Fields; hasToken: boolean }) {
  return (
    <Card
      title="Rastreamento UTMfy"
      text="Saiba que anúncio trouxe cada venda."
      action={
        <Badge tone={hasToken ? "success" : "neutral"}>
          {hasToken ? "Token configurado" : "Sem token da API"}
        </Badge>
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-4">
        <Toggle field={fields.utmfy_enabled} label="Rastreamento ligado" />
        <Link to={paths.trackingSettings()} className="btn min-h-11">
          Configurar rastreamento
        </Link>
      </div>
    </Card>
  );
}
