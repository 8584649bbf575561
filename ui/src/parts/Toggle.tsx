import { Switch } from "radix-ui";

interface Props {
  id: string;
  on: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}

/** A switch; its label names it by `id`. */
export function Toggle({ id, on, disabled, onChange }: Props) {
  return (
    <Switch.Root
      id={id}
      checked={on}
      disabled={disabled}
      onCheckedChange={onChange}
      className="relative mt-0.5 h-[22px] w-[38px] shrink-0 rounded-full bg-line-strong transition-colors duration-150 disabled:opacity-50 data-[state=checked]:bg-accent"
    >
      <Switch.Thumb className="block size-[18px] translate-x-0.5 rounded-full bg-surface transition-transform duration-150 data-[state=checked]:translate-x-[18px]" />
    </Switch.Root>
  );
}
