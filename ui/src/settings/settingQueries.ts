import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import { queryClient } from "../api/queries";

export const useSettings = () => useQuery({ queryKey: ["settings"], queryFn: ({ signal }) => api.settings(signal), staleTime: 10_000 });

export const useLanguageModels = () =>
  useQuery({ queryKey: ["language-models"], queryFn: ({ signal }) => api.languageModels(signal), staleTime: 30_000 });

/** Changes one setting; null takes the page's value back. Rejects with what is wrong. */
export async function changeSetting(key: string, value: unknown): Promise<void> {
  queryClient.setQueryData(["settings"], await api.changeSettings({ [key]: value }));
  for (const queryKey of [["health"], ["settings", "features"]]) void queryClient.invalidateQueries({ queryKey });
}

export const useFeatures = (enabled: boolean) =>
  useQuery({ queryKey: ["settings", "features"], queryFn: ({ signal }) => api.features(signal), enabled });

/** Switches one feature for the tenant; null takes the tenant's switch back. Rejects with what is wrong. */
export async function switchFeature(name: string, on: boolean | null): Promise<void> {
  queryClient.setQueryData(["settings", "features"], await api.switchFeatures({ [name]: on }));
  void queryClient.invalidateQueries({ queryKey: ["settings"], exact: true });
}
