import {
  ChartColumn,
  LayoutDashboard,
  type LucideIcon,
  Package,
  Palette,
  PartyPopper,
  Settings,
} from "lucide-react";
import { paths } from "#app/kit/paths.ts";

/** A screen of the desk as the sidebar shows it; `under` is the address that all its pages begin with. */
export type NavItem = { label: string; href: string; under: string; icon: LucideIcon };

/** The desk's screens in the order of the sidebar: one line a screen. */
export const deskNav: NavItem[] = [
  { label: "Dashboard", href: paths.dashboard(), under: "/dashboard", icon: LayoutDashboard },
  { label: "Produtos", href: paths.products(), under: "/products", icon: Package },
  {
    label: "Checkout",
    href: paths.checkoutCustomization(),
    under: "/checkout-customization",
    icon: Palette,
  },
  {
    label: "Página de obrigado",
    href: paths.thankYouCustomization(),
    under: "/thank-you-customization",
    icon: PartyPopper,
  },
  { label: "Relatórios", href: paths.reports(), under: "/reports", icon: ChartColumn },
  { label: "Configurações", href: paths.settings(), under: "/settings", icon: Settings },
];
