import { paths } from "#app/kit/paths.ts";
import { LinkTabs } from "#app/ui/seller/link-tabs.tsx";

/** The tabs of the settings; `loja` is a separate page. */
export const SETTINGS_TABS = [
  { id: "perfil", label: "Perfil", href: paths.settings("perfil") },
  { id: "loja", label: "Dados da loja", href: paths.storeSettings() },
  { id: "gateways", label: "Gateways", href: paths.settings("gateways") },
  { id: "notificacoes", label: "Notificações", href: paths.settings("notificacoes") },
  { id: "seguranca", label: "Segurança", href: paths.settings("seguranca") },
];

export function SettingsTabs({ current }: { current: string }) {
  return <LinkTabs label="Configurações" current={current} tabs={SETTINGS_TABS} />;
}
