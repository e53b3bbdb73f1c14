import type { FieldMetadata } from "@conform-to/react";
import { Link } from "@remix-run/react";
import { Package } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import type { TrackingFields } from "#app/routes/seller/settings/utmfy/fields.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { PasswordField } from "#app/ui/seller/form/password-field.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";

type Fields = { [K in keyof TrackingFields]-?: FieldMetadata<TrackingFields[K], TrackingFields, string[]> };

export function TrackingConnection({ fields }: { fields: Fields }) {
  return (
    <Card title="Conexão" text="O token está na UTMify em Integrações › Webhooks › Credenciais de API.">
      <div className="flex flex-col gap-5">
        <Toggle field={fields.is_enabled} label="Rastreamento ligado" help="Desligado, nada é informado." />
        <PasswordField
          field={fields.api_token}
          label="Token da API"
          help="Guardado com criptografia. Deixe como está para manter o que foi salvo; apague para remover."
          autoComplete="off"
        />
        <Field
          field={fields.api_url}
          label="Endereço da API"
          type="url"
          inputMode="url"
          autoComplete="off"
          help="Mude apenas se a UTMify pedir. Só endereços públicos com https."
        />
        <Field
          field={fields.source_id}
          label="ID da origem"
          autoComplete="off"
          maxLength={60}
          help="O nome da plataforma nos relatórios da UTMify."
        />
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton intent="test" pending="Testando..." className="border-base-300">
            Testar conexão
          </SubmitButton>
          <p className="text-base-content/70 text-xs">Envia um pedido de teste, que a UTMify não guarda.</p>
        </div>
      </div>
    </Card>
  );
}

export function TrackingEvents({ fields }: { fields: Fields }) {
  return (
    <Card title="Eventos" text="O que é informado à UTMify.">
      <div className="flex flex-col gap-5">
        <Toggle
          field={fields.purchase}
          label="Compra"
          help="PIX gerado, pagamento aprovado e pagamento recusado."
        />
        <Toggle field={fields.chargeback} label="Chargeback" help="Contestação do pagamento (MED)." />
        <Toggle field={fields.refund} label="Reembolso" help="Valor devolvido ao comprador." />
      </div>
    </Card>
  );
}

export type ListedProduct = {
  id: string;
  name: string;
  price: string;
  isActive: boolean;
  isEnabled: boolean;
};

export function TrackedProducts(props: {
  products: ListedProduct[];
  name: string;
  on: string[] | string | undefined;
}) {
  const on = new Set([props.on ?? []].flat());
  return (
    <Card title="Produtos" text="Só as vendas dos produtos ligados são informadas." flush>
      {props.products.length === 0 ? (
        <EmptyState
          icon={Package}
          title="Você ainda não tem produtos"
          action={
            <Link to={paths.newProduct()} className="btn min-h-11">
              Criar produto
            </Link>
          }
        />
      ) : (
        <ul className="divide-y divide-base-300 border-base-300 border-t">
          {props.products.map((product) => (
            <li key={product.id}>
              <label
                htmlFor={`produto-${product.id}`}
                className="flex min-h-14 cursor-pointer items-center gap-3 px-5 py-3"
              >
                <input
                  type="checkbox"
                  id={`produto-${product.id}`}
                  name={props.name}
                  value={product.id}
                  defaultChecked={on.has(product.id)}
                  className="toggle toggle-primary shrink-0"
                />
                <span className="min-w-0 flex-1 break-words text-sm">
                  {product.name} {!product.isActive && <Badge tone="neutral">Inativo</Badge>}
                </span>
                <span className="whitespace-nowrap text-base-content/70 text-sm">{product.price}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
