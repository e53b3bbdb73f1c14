import { Form, Link } from "@remix-run/react";
import { Send } from "lucide-react";
import type { MemberKind } from "#app/db/schema/lists.ts";
import { paths } from "#app/kit/paths.ts";
import type { ItemChoice } from "#app/routes/seller/settings/members/fields.ts";
import { Switch } from "#app/routes/seller/settings/webhooks/switch.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type Controlled = {
  id: string;
  kind: MemberKind;
  name: string;
  stopped: string | null;
  /** The test's field values, and an error if one is wrong. */
  test: { email: string; item: string; field?: string | null; message?: string };
};

const WRONG = "teste-errado";

const LOSS_WARNING = "Quem comprar depois não recebe acesso lá, e o registro do que foi enviado se perde.";

const TEXTS: Record<MemberKind, string> = {
  cademi:
    "Envia uma venda inventada com o e-mail abaixo: use o seu. Se o produto já está ligado na Cademí, o acesso é liberado de verdade.",
  memberkit: "Pergunta à MemberKit que turmas há, e confere a chave e as turmas ligadas. Nada é liberado.",
};

/** The test, the switch, and the deletion. */
export function MemberControls({ area, items }: { area: Controlled; items: ItemChoice[] }) {
  return (
    <Card title="Testar" text={TEXTS[area.kind]}>
      <Form method="post" noValidate className="flex min-w-0 flex-wrap items-end gap-3">
        {area.kind === "cademi" && <TestFields area={area} items={items} />}
        <SubmitButton intent="test" pending="Testando..." className="border-base-300">
          <Send className="size-4" aria-hidden="true" />
          {area.kind === "cademi" ? "Enviar teste" : "Testar a conexão"}
        </SubmitButton>
        {area.kind === "cademi" && (
          <Link to={paths.memberArea(area.id, "tab=produtos")} className="btn btn-ghost min-h-11">
            Como ligar os produtos
          </Link>
        )}
      </Form>
      <Switch called="área" name={area.name} stopped={area.stopped !== null} lossWarning={LOSS_WARNING} />
    </Card>
  );
}

function TestFields({ area, items }: { area: Controlled; items: ItemChoice[] }) {
  const wrong = area.test.field === "email" ? area.test.message : undefined;
  return (
    <>
      <label className="min-w-40 flex-1">
        <span className="mb-1.5 block font-medium text-sm">E-mail que recebe o acesso</span>
        <input
          type="email"
          name="email"
          required
          autoComplete="email"
          maxLength={254}
          defaultValue={area.test.email}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong ? WRONG : undefined}
          className={`input h-11 w-full text-base sm:text-sm ${wrong ? "input-error" : ""}`}
        />
        {wrong && (
          <span id={WRONG} role="alert" className="mt-1.5 block text-error text-sm">
            {wrong}
          </span>
        )}
      </label>
      <label className="min-w-40 flex-1">
        <span className="mb-1.5 block font-medium text-sm">Produto</span>
        <select name="item" defaultValue={area.test.item} className="select h-11 w-full text-base sm:text-sm">
          {items.map(({ item, name }) => (
            <option key={item} value={item}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
