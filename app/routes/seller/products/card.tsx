import { Link } from "@remix-run/react";
import { CopyPlus, ExternalLink, Package, Pencil, Trash2 } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { Picture } from "#app/ui/picture.tsx";
import { Badge } from "#app/ui/seller/badge.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { ItemAction } from "#app/ui/seller/form/item-action.tsx";
import { ItemForm } from "#app/ui/seller/form/item-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type Product = {
  id: number;
  name: string;
  description: string | null;
  price: string;
  imageUrl: string | null;
  checkoutSlug: string | null;
  active: boolean;
  createdAt: string;
  openedAt: number;
};

/** A product in the grid, with all its actions. */
export function ProductCard({ product }: { product: Product }) {
  return (
    <li className="grid min-w-0 grid-cols-[4.5rem_minmax(0,1fr)] rounded-box border border-base-300 bg-base-100 sm:flex sm:flex-col">
      <div className="relative m-3 mr-0 flex size-15 items-center justify-center overflow-hidden rounded-field bg-base-200 sm:m-0 sm:aspect-[4/3] sm:size-auto sm:rounded-b-none sm:border-base-300 sm:border-b">
        <Picture
          url={product.imageUrl}
          width={300}
          height={225}
          loading="lazy"
          // Not cropped: sellers write on their pictures.
          className="absolute inset-0 size-full object-contain"
          fallback={<Package className="size-7 text-base-content/30 sm:size-10" aria-hidden="true" />}
        />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-1 p-3 sm:gap-2 sm:p-4">
        <div className="flex flex-wrap items-center justify-between gap-x-2 max-sm:order-2">
          <Badge tone={product.active ? "success" : "neutral"}>{product.active ? "Ativo" : "Inativo"}</Badge>
          <span className="text-base-content/70 text-xs max-sm:order-last max-sm:w-full">
            Criado em {product.createdAt}
          </span>
          {/* On a phone there is no space for the second link: its editing screen leads there. */}
          <Link
            to={paths.offers(product.id)}
            className="link -my-3 mr-auto inline-flex min-h-11 items-center text-sm sm:hidden"
          >
            Ofertas<span className="sr-only"> e lotes de {product.name}</span>
          </Link>
          <span className="font-semibold sm:hidden">{product.price}</span>
        </div>
        <h2 className="line-clamp-2 break-words font-semibold max-sm:text-sm">{product.name}</h2>
        <p className="line-clamp-1 break-words text-base-content/70 text-xs sm:line-clamp-2 sm:text-sm">
          {product.description ?? "Sem descrição"}
        </p>
        <div className="mt-auto flex items-center justify-between gap-2 pt-1 max-sm:hidden">
          <p className="font-semibold text-lg">{product.price}</p>
          <Switch product={product} className="border-base-300 bg-base-100 px-3 text-sm" />
        </div>
        <p className="flex flex-wrap gap-x-4 text-sm max-sm:hidden">
          <Link to={paths.offers(product.id)} className="link inline-flex min-h-8 items-center">
            Ofertas e lotes<span className="sr-only"> de {product.name}</span>
          </Link>
          <Link to={paths.productLinks(product.id)} className="link inline-flex min-h-8 items-center">
            Links e QR code<span className="sr-only"> de {product.name}</span>
          </Link>
        </p>
      </div>
      <Actions product={product} />
    </li>
  );
}

function Actions({ product }: { product: Product }) {
  const checkout = paths.checkout(product);
  return (
    <div className="col-span-2 flex items-center border-base-300 border-t px-1 py-1 sm:px-2 sm:py-1.5 md:gap-0.5">
      <Link to={paths.product(product.id)} className="btn btn-ghost min-h-11 px-3 sm:mr-auto" title="Editar">
        <Pencil className="size-4" aria-hidden="true" />
        <span className="max-sm:sr-only">Editar</span>
        <span className="sr-only"> {product.name}</span>
      </Link>
      <div className="mr-auto sm:hidden">
        <Switch product={product} className="btn-ghost px-2 text-sm" />
      </div>
      <a
        href={product.active ? checkout : paths.productPreview(product.id)}
        target="_blank"
        rel="noreferrer"
        className={ICON}
        title={product.active ? "Ver checkout" : "Prévia do checkout"}
      >
        <ExternalLink className="size-4" aria-hidden="true" />
        <span className="sr-only">
          {product.active ? "Ver checkout" : "Prévia do checkout"} de {product.name} (abre em nova aba)
        </span>
      </a>
      <CopyButton
        text={checkout}
        label={`Copiar link do checkout de ${product.name}`}
        done="Link copiado para a área de transferência!"
        iconOnly
      />
      <ItemAction
        id={product.id}
        intent="duplicate"
        label="Duplicar"
        pending="Duplicando"
        name={product.name}
        at={product.openedAt}
        icon={<CopyPlus className="size-4" aria-hidden="true" />}
      />
      <ConfirmDialog
        trigger={<Trash2 className="size-4" aria-hidden="true" />}
        triggerLabel={`Deletar ${product.name}`}
        triggerClassName={`${ICON} text-error`}
        title="Deletar produto?"
        text={
          <>
            <strong className="break-words">{product.name}</strong> sai da sua lista e o checkout dele deixa
            de existir. Vendas, relatórios e downloads de quem já comprou são mantidos, e quem já tem um PIX
            ainda pode pagá-lo. Não dá para desfazer.
          </>
        }
      >
        <ItemForm id={product.id}>
          <SubmitButton
            intent="delete"
            item={String(product.id)}
            pending="Deletando..."
            className="btn-error"
          >
            Deletar
          </SubmitButton>
        </ItemForm>
      </ConfirmDialog>
    </div>
  );
}

function Switch({ product, className }: { product: Product; className: string }) {
  return (
    <ItemForm id={product.id}>
      <SubmitButton
        intent={product.active ? "deactivate" : "activate"}
        item={String(product.id)}
        pending="Salvando..."
        className={className}
      >
        {product.active ? "Desativar" : "Ativar"}
        <span className="sr-only"> {product.name}</span>
      </SubmitButton>
    </ItemForm>
  );
}

const ICON = "btn btn-ghost btn-square size-11";
