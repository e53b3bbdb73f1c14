import type { ItemCodes } from "#app/domain/delivery/webhook/list-codes.server.ts";
import type { WebhookForm } from "#app/domain/delivery/webhook/settings.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";

/** What an item is, by its kind. */
export const ITEM_KINDS = { product: "Produto", bump: "Oferta adicional", offer: "Upsell" };

const IN_WEBHOOKS =
  "Como cada produto se chama nos avisos deste formato: use-os onde a ferramenta pede o código do produto.";

/** Each product's code in this form, for tools that select by product. */
export function Codes(props: { form: WebhookForm; codes: ItemCodes[]; text?: string }) {
  const { form, codes, text = IN_WEBHOOKS } = props;
  if (codes.length === 0) return null;
  return (
    <Card title="Códigos dos produtos" text={text} flush>
      <ul className="divide-y divide-base-300 border-base-300 border-t">
        {codes.map((item) => (
          <li key={item.kind + item.id} className="flex items-center gap-2 py-1.5 pr-2 pl-5">
            <span className="min-w-0 flex-1 py-1.5 text-sm">
              <span className="block break-words">{item.name}</span>
              <span className="block text-base-content/70 text-xs">
                {ITEM_KINDS[item.kind]} · <code className="break-all">{item[form]}</code>
              </span>
            </span>
            <CopyButton text={item[form]} label={`Copiar código de ${item.name}`} iconOnly />
          </li>
        ))}
      </ul>
    </Card>
  );
}
