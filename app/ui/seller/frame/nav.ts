import {
  ChartColumn,
  LayoutDashboard,
  type LucideIcon,
  Package,
  Palette,
  PartyPopper,
  Plug,
  Settings,
  TicketPercent,
} from "lucide-react";
import { paths } from "#app/kit/paths.ts";

/** A dashboard screen in the sidebar; `under` are the prefixes of all its pages' URLs. */
export type NavItem = { label: string; href: string; under: string[]; icon: LucideIcon };

/** The dashboard's screens in the order of the sidebar: one line per screen. */
export const sellerNav: NavItem[] = [
  { label: "Dashboard", href: paths.dashboard(), under: ["/dashboard"], icon: LayoutDashboard },
  { label: "Produtos", href: paths.products(), under: ["/products"], icon: Package },
  { label: "Cupons", href: paths.coupons(), under: ["/coupons"], icon: TicketPercent },
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

/** The item whose screen a URL belongs to: the one with the longest prefix. */
export function navItemOf(pathname: string): NavItem | undefined {
  const fits = sellerNav.flatMap((item) =>
    item.under
      .filter((under) => pathname === under || pathname.startsWith(`${under}/`))
      .map((under) => ({ item, length: under.length })),
  );
  return fits.sort((a, b) => b.length - a.length)[0]?.item;
}
