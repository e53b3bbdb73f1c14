import {
  ChartColumn,
  LayoutDashboard,
  type LucideIcon,
  Package,
  Palette,
  PartyPopper,
  Plug,
  Settings,
} from "lucide-react";
import { paths } from "#app/kit/paths.ts";

/** A screen of the desk as the sidebar shows it; `under` are the addresses that all its pages begin with. */
export type NavItem = { label: string; href: string; under: string[]; icon: LucideIcon };

/** The desk's screens in the order of the sidebar: one line a screen. */
export const deskNav: NavItem[] = [
  { label: "Dashboard", href: paths.dashboard(), under: ["/dashboard"], icon: LayoutDashboard },
  { label: "Produtos", href: paths.products(), under: ["/products"], icon: Package },
  {
    label: "Checkout",
    href: paths.checkoutCustomization(),
    under: ["/checkout-customization"],
    icon: Palette,
  },
  {
    label: "Página de obrigado",
    href: paths.thankYouCustomization(),
    under: ["/thank-you-customization"],
    icon: PartyPopper,
  },
  { label: "Relatórios", href: paths.reports(), under: ["/reports"], icon: ChartColumn },
  {
    label: "Integrações",
    href: paths.integrations(),
    under: [
      "/settings/integrations",
      "/settings/utmfy",
      "/settings/email",
      "/settings/webhooks",
      "/settings/pixels",
      "/settings/member-areas",
    ],
    icon: Plug,
  },
  { label: "Configurações", href: paths.settings(), under: ["/settings"], icon: Settings },
];

/** The item whose screen an address belongs to: the one that says most of it. */
export function navItemOf(pathname: string): NavItem | undefined {
  const fits = deskNav.flatMap((item) =>
    item.under
      .filter((under) => pathname === under || pathname.startsWith(`${under}/`))
      .map((under) => ({ item, length: under.length })),
  );
  return fits.sort((a, b) => b.length - a.length)[0]?.item;
}
