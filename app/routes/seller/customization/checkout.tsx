import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { CHECKOUT_LABELS } from "#app/domain/storefront/customization-labels.ts";
import { CHECKOUT_CUSTOMIZATION } from "#app/domain/storefront/customizations.server.ts";
import { paths } from "#app/kit/paths.ts";
import { checkoutTabs } from "#app/routes/seller/customization/checkout-tabs.tsx";
import { loadCustomization, saveCustomization } from "#app/server/customization/save-customization.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { CustomizationScreen, type SaveReply } from "#app/ui/seller/customization-screen.tsx";
import { unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { unsaved } from "#app/ui/seller/form/unsaved.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  return loadCustomization(CHECKOUT_CUSTOMIZATION, seller.id);
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const screen = { failed: (error: string) => `Erro: ${error}`, page: paths.checkoutCustomization };
  return saveCustomization(CHECKOUT_CUSTOMIZATION, screen, { request, sellerId: seller.id });
}

export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return unsaved(serverAction());
}

export { unlessUnreachable as shouldRevalidate };

export default function CheckoutCustomization() {
  const loaded = useLoaderData<typeof loader>();
  const reply = useActionData() as SaveReply | undefined;
  return (
    <CustomizationScreen
      id="checkout"
      title="Personalização do checkout"
      text="Vale para o checkout de todos os seus produtos."
      save="Salvar"
      page={paths.checkoutCustomization()}
      previewTitle="Prévia do checkout"
      previewUrl={paths.checkoutPreview()}
      loaded={loaded}
      reply={reply}
      labels={CHECKOUT_LABELS}
      tabs={(fields) => checkoutTabs(fields, loaded.settings)}
      tips={TIPS}
      sideTabs
    />
  );
}

const TIPS = [
  "Peça só o que você usa: cada campo a mais é um motivo para desistir.",
  "Use o logo e as cores do seu anúncio: quem clicou precisa reconhecer onde chegou.",
  "Diga no botão o que a pessoa leva: “Quero o curso” diz mais que “Enviar”.",
  "Ligue o timer só quando a oferta acaba mesmo: urgência de mentira custa confiança.",
  "Deixe termos, privacidade e atendimento à vista: quem tem dúvida procura por eles.",
  "Dois ou três order bumps que completam o produto vendem mais que uma lista longa.",
];

export const meta: MetaFunction = () => [{ title: "Personalização do checkout · Checkintelli" }];
