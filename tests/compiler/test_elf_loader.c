// Kernel objects with one thing wrong, which the message names. Damage at any byte: test_code_pages.c.
#include <elf.h>

#include "compiler/codegen/elf_loader.h"
#include "compiler/codegen/object.h"
#include "tests/compiler/loops_util.h"

static mr_object object;  // of y = exp(x), which calls and copies
static uint8_t *copy;

static int make_object(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv i = for_share(p);
  mr_l_store(p, y, i, mr_l_unary(p, MR_OP_exponential, MR_F32, mr_l_load(p, x, i)));
  mr_l_copy(p, y, i, x, i, mr_l_end_of_range(p));
  mr_l_end(p);
  check_ok(mr_codegen_object(p, "test", &object));
  mr_loop_release(p);
  copy = mr_alloc(object.size);
  return copy == NULL;
}

static int free_object(void **state) {
  (void)state;
  mr_free(copy);
  mr_free(object.data);
  return 0;
}

static Elf64_Ehdr *header(void) { return (Elf64_Ehdr *)(void *)copy; }
static Elf64_Shdr *sections(void) { return (Elf64_Shdr *)(void *)(copy + header()->e_shoff); }

static Elf64_Shdr *section_of(uint32_t type) {
  for (uint32_t i = 0; i < header()->e_shnum; i++) {
    if (sections()[i].sh_type == type) {
      return &sections()[i];
    }
  }
  fail_msg("no section of type %u", type);
  return NULL;
}

static Elf64_Shdr *code_section(void) {
  for (uint32_t i = 0; i < header()->e_shnum; i++) {
    if (sections()[i].sh_flags & SHF_EXECINSTR && sections()[i].sh_size) {
      return &sections()[i];
    }
  }
  fail_msg("no code");
  return NULL;
}

static Elf64_Sym *symbols(void) { return (Elf64_Sym *)(void *)(copy + section_of(SHT_SYMTAB)->sh_offset); }

static size_t num_symbols(void) { return section_of(SHT_SYMTAB)->sh_size / sizeof(Elf64_Sym); }

// Relocations of the code.
static Elf64_Shdr *rela_section(void) {
  for (uint32_t i = 0; i < header()->e_shnum; i++) {
    Elf64_Shdr *s = &sections()[i];
    if (s->sh_type == SHT_RELA && sections()[s->sh_info].sh_flags & SHF_EXECINSTR && s->sh_size) {
      return s;
    }
  }
  fail_msg("no relocations");
  return NULL;
}

static Elf64_Rela *rela(void) { return (Elf64_Rela *)(void *)(copy + rela_section()->sh_offset); }

static Elf64_Sym *kernel(void) {
  for (size_t i = 1; i < num_symbols(); i++) {
    if (ELF64_ST_TYPE(symbols()[i].st_info) == STT_FUNC) {
      return &symbols()[i];
    }
  }
  fail_msg("no function");
  return NULL;
}

static void bad_magic(void) { copy[1] = 'X'; }
static void bad_kind(void) { header()->e_type = ET_EXEC; }
static void bad_machine(void) { header()->e_machine = EM_ARM; }
static void bad_table_place(void) { header()->e_shoff = object.size; }
static void bad_table_size(void) { header()->e_shentsize = 8; }
static void bad_section_size(void) { code_section()->sh_size = UINT64_MAX; }
static void bad_symbol_size(void) { section_of(SHT_SYMTAB)->sh_entsize = 3; }
static void bad_names(void) { section_of(SHT_SYMTAB)->sh_link = 0; }
static void open_names(void) { sections()[section_of(SHT_SYMTAB)->sh_link].sh_size--; }
static void no_symbols(void) { section_of(SHT_SYMTAB)->sh_type = SHT_NOTE; }
static void variables(void) {
  section_of(SHT_STRTAB)->sh_flags |= SHF_ALLOC;
  code_section()->sh_type = SHT_NOBITS;
}
static void bad_alignment(void) { code_section()->sh_addralign = 3; }
static void bad_symbol_section(void) { kernel()->st_shndx = 200; }
static void bad_symbol_value(void) { kernel()->st_value = UINT64_MAX; }
static void bad_symbol_number(void) { rela()->r_info = ELF64_R_INFO(UINT64_C(100000), R_X86_64_PC32); }
static void bad_place(void) { rela()->r_offset = UINT64_MAX; }
static void bad_type(void) { rela()->r_info = ELF64_R_INFO(ELF64_R_SYM(rela()->r_info), 200); }
static void bad_room(void) {
  rela()->r_info = ELF64_R_INFO(ELF64_R_SYM(rela()->r_info), R_X86_64_64);
  rela()->r_offset = code_section()->sh_size - 1;
}
static void bad_distance(void) {
  rela()->r_info = ELF64_R_INFO(ELF64_R_SYM(rela()->r_info), R_X86_64_PC32);
  rela()->r_addend = INT64_MAX / 2;
}
static void without_addends(void) { rela_section()->sh_type = SHT_REL; }
static void bad_target(void) { rela_section()->sh_info = 200; }
static void bad_rela_size(void) { rela_section()->sh_entsize = 8; }
static void not_code(void) { code_section()->sh_flags &= ~(uint64_t)SHF_EXECINSTR; }
static void no_entry(void) { kernel()->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT); }
static void unknown_function(void) {
  for (size_t i = 1; i < num_symbols(); i++) {
    if (symbols()[i].st_shndx == SHN_UNDEF && symbols()[i].st_name) {
      ((char *)copy + sections()[section_of(SHT_SYMTAB)->sh_link].sh_offset)[symbols()[i].st_name] = '?';
    }
  }
}

typedef struct wrong {
  void (*damage)(void);
  mr_code code;
  const char *says;
} wrong;

static const wrong wrongs[] = {
    {bad_magic, MR_DATA_LOSS, "not a relocatable object for this machine"},
    {bad_kind, MR_DATA_LOSS, "not a relocatable object for this machine"},
    {bad_machine, MR_DATA_LOSS, "not a relocatable object for this machine"},
    {bad_table_place, MR_DATA_LOSS, "section table"},
    {bad_table_size, MR_DATA_LOSS, "section table"},
    {bad_section_size, MR_DATA_LOSS, "section outside the file"},
    {bad_symbol_size, MR_DATA_LOSS, "symbol table"},
    {bad_names, MR_DATA_LOSS, "symbol names"},
    {open_names, MR_DATA_LOSS, "symbol names do not end"},
    {no_symbols, MR_DATA_LOSS, "no symbols"},
    {variables, MR_DATA_LOSS, "zeroed variables"},
    {bad_alignment, MR_DATA_LOSS, "alignment"},
    {bad_symbol_section, MR_DATA_LOSS, "symbol outside its section"},
    {bad_symbol_value, MR_DATA_LOSS, "symbol outside its section"},
    {bad_symbol_number, MR_DATA_LOSS, "symbol number"},
    {bad_place, MR_DATA_LOSS, "relocation outside its section"},
    {bad_type, MR_UNIMPLEMENTED, "relocation type 200 in a kernel"},
    {bad_room, MR_DATA_LOSS, "does not fit"},
    {bad_distance, MR_DATA_LOSS, "does not fit"},
    {without_addends, MR_DATA_LOSS, "relocations without addends"},
    {bad_target, MR_DATA_LOSS, "relocation target"},
    {bad_rela_size, MR_DATA_LOSS, "relocation size"},
    {not_code, MR_DATA_LOSS, "entry is not code"},
    {no_entry, MR_DATA_LOSS, "no entry point"},
    {unknown_function, MR_UNIMPLEMENTED, "which is not among the functions it may call"},
};

static void expect_refused(mr_span bytes, mr_code code, const char *says) {
  mr_code_block block;
  void *entry;
  mr_status status = mr_elf_load(bytes, "kernel", &block, &entry);
  if (mr_status_code(status) != code || !strstr(mr_status_message(status), says)) {
    fail_msg("%s: \"%s\", wanted %s and \"%s\"", mr_status_code_name(mr_status_code(status)), mr_status_message(status),
             mr_status_code_name(code), says);
  }
  assert_null(entry);
  assert_null(block.data);
  mr_status_free(status);
}

static void test_names_what_is_wrong(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(wrongs); i++) {
    memcpy(copy, object.data, object.size);
    wrongs[i].damage();
    expect_refused((mr_span){copy, object.size}, wrongs[i].code, wrongs[i].says);
  }
  expect_refused((mr_span){object.data, 10}, MR_DATA_LOSS, "shorter than its header");
  expect_refused((mr_span){(const char *)object.data + 1, object.size - 1}, MR_DATA_LOSS, "not aligned in memory");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names_what_is_wrong)};
  return cmocka_run_group_tests(tests, make_object, free_object);
}
