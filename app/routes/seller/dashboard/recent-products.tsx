import { Link } from "@remix-run/react";
import { ExternalLink, Package } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { Picture } from "#app/ui/picture.tsx";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";

type Product = {
  id: number;
  name: string;
  price: string;
  imageUrl: string | null;
  active: boolean;
  createdAt: string;
};

/** The newest products. While the first steps are shown, only they have a primary button. */
export function RecentProducts(props: { products: Product[]; total: number; guided: boolean }) {
  return (
    <Card
      title="Produtos recentes"
      flush
      action={
        props.total > 0 && (
          <Link
            to={paths.products()}
            className="link link-hover -my-3 inline-flex min-h-11 items-center font-medium text-primary text-sm"
          >
            Ver todos
          </Link>
        )
      }
    >
      {props.products.length === 0 ? (
        <EmptyState
          icon={Package}
          title="Nenhum produto cadastrado"
          text="Crie o primeiro produto para ter um checkout e começar a vender."
          action={{ to: paths.newProduct(), label: "Criar primeiro produto", isMain: !props.guided }}
        />
      ) : (
        <ul aria-label="Produtos recentes" className="divide-y divide-base-300 border-base-300 border-t">
          {props.products.map((product) => (
            <Row key={product.id} product={product} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ product }: { product: Product }) {
  const { id, name, active } = product;
  const badge = <Badge tone={active ? "success" : "neutral"}>{active ? "Ativo" : "Inativo"}</Badge>;
  return (
    <li className="flex items-center gap-3 px-4 py-3 sm:px-5">
      <span className="flex size-11 shrink-0 items-center justify-center overflow-hidden rounded-field bg-base-200">
        <Picture
          url={product.imageUrl}
          width={44}
          height={44}
          loading="lazy"
          className="size-full object-contain"
          fallback={<Package className="size-5 text-base-content/50" aria-hidden="true" />}
        />
      </span>
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 break-words font-medium">
          <Link to={paths.product(id)} className="hover:underline">
            {name}
          </Link>
        </p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base-content/70 text-sm">
          <span className="tabular-nums">{product.price}</span>
          <span className="tabular-nums">{product.createdAt}</span>
          <span className="sm:hidden">{badge}</span>
        </p>
      </div>
      <span className="max-sm:hidden">{badge}</span>
      <a
        href={active ? paths.checkout({ id, checkoutSlug: null }) : paths.productPreview(id)}
        target="_blank"
        rel="noreferrer"
        className="btn btn-ghost btn-square size-11"
        title={active ? "Ver checkout" : "Prévia do checkout"}
      >
        <ExternalLink className="size-4" aria-hidden="true" />
        <span className="sr-only">
          {active ? "Ver checkout" : "Prévia do checkout"} de {name} (abre em nova aba)
        </span>
      </a>
    </li>
  );
}
