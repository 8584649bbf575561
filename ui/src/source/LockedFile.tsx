import { PasswordForm } from "../parts/PasswordForm";
import { t } from "../text/language";

/** The pages of a locked file, until its password is given. */
export function LockedFile({ filename, wrong, onPassword }: { filename: string; wrong: boolean; onPassword: (password: string) => void }) {
  return (
    <div className="sheet-paper mx-auto flex max-w-[420px] flex-col gap-3 p-6" data-testid="locked">
      <b className="font-semibold">{t("This file is locked")}</b>
      <p className="text-[13.5px] text-ink-2">
        {t("Vantage has read {name} and keeps no passwords. Enter it again to see the pages; it stays in this window. The text is under “Text”.", {
          name: filename,
        })}
      </p>
      <PasswordForm action={t("Show the pages")} wrong={wrong} onPassword={onPassword} />
    </div>
  );
}
