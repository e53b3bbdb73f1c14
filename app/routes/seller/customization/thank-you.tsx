import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { THANK_YOU_LABELS } from "#app/domain/storefront/customization-labels.ts";
import { THANK_YOU_CUSTOMIZATION } from "#app/domain/storefront/customizations.server.ts";
import { paths } from "#app/kit/paths.ts";
import { thankYouTabs } from "#app/routes/seller/customization/thank-you-tabs.tsx";
import { loadCustomization, saveCustomization } from "#app/server/customization/save-customization.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { CustomizationScreen, type SaveReply } from "#app/ui/seller/customization-screen.tsx";
import { unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { unsaved } from "#app/ui/seller/form/unsaved.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  return loadCustomization(THANK_YOU_CUSTOMIZATION, seller.id);
}

export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const screen = { failed: (error: string) => `Erro ao salvar: ${error}`, page: paths.thankYouCustomization };
  return saveCustomization(THANK_YOU_CUSTOMIZATION, screen, { request, sellerId: seller.id });
}

export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return unsaved(serverAction());
}

export { unlessUnreachable as shouldRevalidate };

export default function ThankYouCustomization() {
  const loaded = useLoaderData<typeof loader>();
  const reply = useActionData() as SaveReply | undefined;
  return (
    <CustomizationScreen
      id="obrigado"
      title="Página de obrigado"
      text="O que quem comprou vê depois do pagamento aprovado."
      save="Salvar Configurações"
      page={paths.thankYouCustomization()}
      previewTitle="Prévia da página"
      previewUrl={paths.thankYouPreview()}
      loaded={loaded}
      reply={reply}
      labels={THANK_YOU_LABELS}
      tabs={(fields) => thankYouTabs(fields, loaded.settings)}
      tips={TIPS}
    />
  );
}

const TIPS = [
  "Diga o próximo passo em uma frase: baixar, entrar no grupo, começar pela aula 1.",
  "Deixe o botão de download ligado: é o caminho mais curto até o que foi comprado.",
  "Se levar para a sua área de membros, dê tempo de ler: 10 ou 15 segundos.",
  "Agradeça com o seu nome: quem se sente bem recebido pede menos reembolso.",
];

export const meta: MetaFunction = () => [{ title: "Página de obrigado · Checkintelli" }];
