#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "idl/parsing.h"

/* Loads the first of the files. */
static void load(parsing *p, const parsing_file *files)
{
    parsing_start(p);
    p->files = files;
    parsing_load(p, files[0].path);
}

static void expect_paths(const parsing *p, const char *paths)
{
    char   found[4096] = "";
    size_t used = 0, index = 0;
    for (const idl_file *file = p->load.files; file; file = file->next, index++) {
        assert_int_equal(file->index, index);
        used += (size_t)snprintf(found + used, sizeof found - used, "%s=%s ", file->path.ptr,
                                 file->prefix.ptr);
    }
    assert_int_equal(index, p->load.file_count);
    assert_string_equal(found, paths);
}

#define EXPECT_LOAD(files, paths, errors)        \
    do {                                         \
        parsing p_;                              \
        load(&p_, files);                        \
        assert_string_equal(p_.reports, errors); \
        expect_paths(&p_, paths);                \
        parsing_end(&p_);                        \
    } while (0)

static void includes_are_searched_beside_the_file_that_includes(void **state)
{
    static const parsing_file files[] = {
        { .path = "a/root.thrift", .text = "include \"b/x.thrift\"" },
        { .path = "a/b/x.thrift", .text = "include \"y.z.thrift\"" },
        { .path = "a/b/y.z.thrift", .text = "struct S {}" },
        { .path = NULL }
    };
    (void)state;
    EXPECT_LOAD(files, "a/root.thrift=root a/b/x.thrift=x a/b/y.z.thrift=y.z ", "");
}

static void then_in_the_folders_for_includes_in_order(void **state)
{
    static const char *const  dirs[]  = { "one", "two/", "/three" };
    static const parsing_file files[] = { { .path = "root.thrift", .text = "include \"x.thrift\"" },
                                          { .path = "/three/x.thrift", .text = "" },
                                          { .path = NULL } };
    parsing                   p;
    (void)state;
    parsing_start(&p);
    p.files                     = files;
    p.options.include_dirs      = dirs;
    p.options.include_dir_count = 3;
    parsing_load(&p, "root.thrift");
    assert_string_equal(p.reports, "");
    assert_string_equal(p.opened,
                        "root.thrift\nx.thrift\none/x.thrift\ntwo/x.thrift\n/three/x.thrift\n");
    expect_paths(&p, "root.thrift=root /three/x.thrift=x ");
    assert_ptr_equal(p.load.files->includes->file, p.load.files->next);
    parsing_end(&p);
}

static void an_absolute_path_is_looked_for_where_it_says(void **state)
{
    static const char *const  dirs[]  = { "one" };
    static const parsing_file files[] = {
        { .path = "a/root.thrift", .text = "include \"/x.thrift\"\ninclude \"/y.thrift\"" },
        { .path = "/x.thrift", .text = "" },
        { .path = NULL }
    };
    parsing p;
    (void)state;
    parsing_start(&p);
    p.files                     = files;
    p.options.include_dirs      = dirs;
    p.options.include_dir_count = 1;
    parsing_load(&p, "a/root.thrift");
    assert_string_equal(p.opened, "a/root.thrift\n/x.thrift\n/y.thrift\n");
    assert_string_equal(p.reports, "2:9: there is no file /y.thrift\n");
    parsing_end(&p);
}

static void a_file_is_read_once_whatever_its_path_is_called(void **state)
{
    static const parsing_file files[] = {
        { .path = "d/root.thrift",
          .text = "include \"x.thrift\"\ninclude \"./x.thrift\"\ninclude \"../d/x.thrift\"\n"
                  "include \"e//../x.thrift\"\ninclude \"y.thrift\"" },
        { .path = "d/x.thrift", .text = "include \"y.thrift\"" },
        { .path = "d/y.thrift", .text = "" },
        { .path = NULL }
    };
    parsing p;
    (void)state;
    load(&p, files);
    assert_string_equal(p.reports, "");
    assert_string_equal(p.opened, "d/root.thrift\nd/x.thrift\nd/y.thrift\n");
    expect_paths(&p, "d/root.thrift=root d/x.thrift=x d/y.thrift=y ");
    const idl_include *first = p.load.files->includes; /* those of the same file are one */
    assert_ptr_equal(first->file, p.load.files->next);
    assert_ptr_equal(first->next->file, p.load.files->next->next);
    assert_null(first->next->next);
    parsing_end(&p);
}

static void paths_are_normalised_by_their_names(void **state)
{
    static const struct {
        const char *path, *opened;
    } rows[] = {
        { "a.thrift", "a.thrift\n" },
        { "./a.thrift", "a.thrift\n" },
        { "a/../b.thrift", "b.thrift\n" },
        { "../a.thrift", "../a.thrift\n" },
        { "../../a/..", "../../\n" },
        { "a/../../b", "../b\n" },
        { "/../a", "/a\n" },
        { "/a/./b//c/../d", "/a/b/d\n" },
        { "..a/../...b", "...b\n" },
        { "a/b/../../c", "c\n" },
        { "../a/../b", "../b\n" },
        { "//a", "/a\n" },
    };
    static const parsing_file none[] = { { .path = NULL } };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        parsing p;
        parsing_start(&p);
        p.files = none;
        parsing_load(&p, rows[i].path);
        assert_string_equal(p.opened, rows[i].opened);
        parsing_end(&p);
    }
}

static void a_base_name_loses_its_folder_and_its_last_extension(void **state)
{
    static const char *const rows[][2] = {
        { "a/b.thrift", "b" },    { "x.y.thrift", "x.y" }, { "none", "none" }, { "a.b/c", "c" },
        { ".hidden", ".hidden" }, { "a/.h.thrift", ".h" }, { "", "" },         { "a/", "" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        frugal_str name = idl_base_name((frugal_str){ rows[i][0], strlen(rows[i][0]) });
        assert_int_equal(name.len, strlen(rows[i][1]));
        assert_memory_equal(name.ptr, rows[i][1], name.len);
    }
}

static void a_missing_include_is_an_error_at_its_literal(void **state)
{
    static const parsing_file files[] = {
        { .path = "root.thrift",
          .text = "namespace c x\n  include \"no.thrift\"\ninclude \"\"\nstruct S { 1: }" },
        { .path = NULL }
    };
    parsing p;
    (void)state;
    load(&p, files);
    assert_string_equal(p.reports,
                        "4:15: expected a type, found `}`\n"
                        "2:11: no.thrift is neither beside this file nor in a folder for "
                        "includes (-I)\n"
                        "3:9: this is no path of a file\n");
    assert_string_equal(p.words, "}\nno.thrift\n\n");
    assert_null(p.load.files->includes->file);
    parsing_end(&p);
}

static void a_missing_root_is_an_error_of_the_file(void **state)
{
    static const parsing_file none[] = { { .path = NULL } };
    parsing                   p;
    (void)state;
    parsing_start(&p);
    p.files = none;
    assert_null(parsing_load(&p, "no/where.thrift"));
    assert_int_equal(p.load.first.status, FRUGAL_NOTFOUND);
    assert_string_equal(p.load.first.path, "no/where.thrift");
    assert_string_equal(p.load.first.message, "there is no file no/where.thrift");
    parsing_end(&p);
}

static void a_file_that_includes_itself_is_told(void **state)
{
    static const parsing_file files[] = {
        { .path = "a.thrift", .text = "namespace c x\ninclude \"./a.thrift\"" }, { .path = NULL }
    };
    (void)state;
    EXPECT_LOAD(files, "a.thrift=a ", "2:9: the file includes itself\n");
}

static void a_cycle_is_told_at_the_include_that_closes_it(void **state)
{
    static const parsing_file files[] = {
        { .path = "a.thrift", .text = "include \"b.thrift\"\ninclude \"d.thrift\"" },
        { .path = "b.thrift", .text = "include \"d.thrift\"\n include \"c.thrift\"" },
        { .path = "c.thrift", .text = "\n\ninclude \"a.thrift\"\ninclude \"b.thrift\"" },
        { .path = "d.thrift", .text = "" },
        { .path = NULL }
    };
    parsing p;
    (void)state;
    load(&p, files);
    assert_string_equal(p.reports,
                        "3:9: a cycle: this file is included by c.thrift, by b.thrift, by "
                        "a.thrift\n"
                        "4:9: a cycle: this file is included by c.thrift, by b.thrift\n");
    assert_string_equal(p.words, "a.thrift\nb.thrift\n");
    assert_string_equal(p.load.first.path, "c.thrift");
    assert_int_equal(p.load.first.status, FRUGAL_DESCRIPTOR);
    parsing_end(&p);
}

static void a_file_reached_twice_is_no_cycle(void **state)
{
    static const parsing_file files[] = {
        { .path = "a.thrift", .text = "include \"b.thrift\"\ninclude \"c.thrift\"" },
        { .path = "b.thrift", .text = "include \"d.thrift\"" },
        { .path = "c.thrift", .text = "include \"d.thrift\"\ninclude \"b.thrift\"" },
        { .path = "d.thrift", .text = "" },
        { .path = NULL }
    };
    (void)state;
    EXPECT_LOAD(files, "a.thrift=a b.thrift=b c.thrift=c d.thrift=d ", "");
}

static void errors_of_all_files_are_told(void **state)
{
    static const parsing_file files[] = { { .path = "a.thrift",
                                            .text = "include \"b.thrift\"\nstruct" },
                                          { .path = "b.thrift", .text = "union" },
                                          { .path = NULL } };
    (void)state;
    EXPECT_LOAD(files, "a.thrift=a b.thrift=b ",
                "2:7: expected a name for the struct, found the end of the file\n"
                "1:6: expected a name for the union, found the end of the file\n");
}

/* ---- bounds and failures -------------------------------------------------------------------- */

static const parsing_file chain[] = { { .path = "a.thrift", .text = "include \"b.thrift\"" },
                                      { .path = "b.thrift", .text = "include \"c.thrift\"" },
                                      { .path = "c.thrift", .text = "struct S {} // 123" },
                                      { .path = NULL } };

static void more_files_than_the_bound_are_an_error(void **state)
{
    parsing p;
    (void)state;
    parsing_start(&p);
    p.files            = chain;
    p.options.file_max = 2;
    parsing_load(&p, "a.thrift");
    assert_string_equal(p.reports, "1:9: there are more than 2 files, the bound file_max\n");
    assert_string_equal(p.load.first.path, "b.thrift");
    assert_int_equal(p.load.first.status, FRUGAL_SIZE);
    parsing_end(&p);
}

static void more_text_than_the_bound_is_an_error(void **state)
{
    (void)state;
    for (size_t max = 0; max <= 54; max++) {
        parsing p;
        parsing_start(&p);
        p.files            = chain;
        p.options.text_max = max;
        parsing_load(&p, "a.thrift");
        assert_int_equal(p.load.errors, max < 54);
        if (max < 54) {
            assert_int_equal(p.load.first.status, FRUGAL_SIZE);
            assert_non_null(strstr(p.reports, "more than"));
            assert_int_equal(p.load.first.line, max >= 18);
            assert_string_equal(p.load.first.path, max < 36 ? "a.thrift" : "b.thrift");
        }
        parsing_end(&p);
    }
}

static void a_reader_that_fails_ends_the_load(void **state)
{
    static const parsing_file files[] = {
        { .path = "a.thrift", .text = "include \"b.thrift\"\ninclude \"c.thrift\"" },
        { .path = "b.thrift", .text = "the disk is gone", .status = FRUGAL_IO },
        { .path = "c.thrift", .text = "" },
        { .path = NULL }
    };
    parsing p;
    (void)state;
    load(&p, files);
    assert_string_equal(p.reports, "1:9: cannot read b.thrift: the disk is gone\n");
    assert_string_equal(p.opened, "a.thrift\nb.thrift\n");
    assert_int_equal(p.load.first.status, FRUGAL_IO);
    assert_true(p.load.stopped);
    parsing_end(&p);
}

static void a_reader_that_fails_for_the_root_ends_the_load(void **state)
{
    static const parsing_file files[] = { { .path = "a.thrift", .text = "", .status = FRUGAL_IO },
                                          { .path = NULL } };
    parsing                   p;
    (void)state;
    load(&p, files);
    assert_string_equal(p.reports, "0:0: cannot read a.thrift: operating system error\n");
    assert_string_equal(p.load.first.path, "a.thrift");
    parsing_end(&p);
}

static void a_reader_without_memory_is_out_of_memory(void **state)
{
    static const parsing_file files[] = {
        { .path = "a.thrift", .text = "", .status = FRUGAL_NOMEM }, { .path = NULL }
    };
    parsing p;
    (void)state;
    load(&p, files);
    assert_string_equal(p.reports, "0:0: out of memory\n");
    parsing_end(&p);
}

static void every_allocation_that_fails_is_told_and_nothing_leaks(void **state)
{
    size_t count = 1;
    (void)state;
    for (bool failed = true; failed; count++) {
        parsing p;
        parsing_start(&p);
        p.files   = chain;
        p.fail_at = count;
        parsing_load(&p, "a.thrift");
        failed = p.allocations >= count;
        if (failed && p.load.arena) {
            assert_int_equal(p.load.first.status, FRUGAL_NOMEM);
            assert_true(p.load.stopped);
        }
        parsing_end(&p);
    }
    assert_true(count > 5);
}

static void many_files_are_found_by_name(void **state)
{
    static parsing_file files[301];
    static char         texts[2][300 * 24], paths[300][16];
    parsing             p;
    (void)state;
    for (size_t i = 0, used = 0; i < 300; i++) {
        snprintf(paths[i], sizeof paths[i], "f%zu.thrift", i);
        files[i] = (parsing_file){ .path = paths[i], .text = texts[i == 0] };
        if (i)
            used += (size_t)snprintf(texts[1] + used, sizeof texts[1] - used,
                                     "include \"f%zu.thrift\"\n", i);
    }
    load(&p, files);
    assert_string_equal(p.reports, "");
    assert_int_equal(p.load.file_count, 300);
    parsing_end(&p);
}

static void a_path_too_long_for_an_error_loses_its_front(void **state)
{
    char         path[300];
    parsing_file files[2] = { { .path = path, .text = "x" }, { .path = NULL } };
    parsing      p;
    (void)state;
    memset(path, 'd', sizeof path);
    memcpy(path + sizeof path - 10, "/x.thrift", 10);
    load(&p, files);
    assert_memory_equal(p.load.first.path,
                        "\xe2\x80\xa6"
                        "ddd",
                        6);
    size_t len = strlen(p.load.first.path);
    assert_string_equal(p.load.first.path + len - 9, "/x.thrift");
    parsing_end(&p);
}

/* ---- text in memory, files on disk ---------------------------------------------------------- */

static void text_in_memory_includes_from_its_folder(void **state)
{
    static const parsing_file files[] = { { .path = "dir/b.thrift", .text = "struct T {}" },
                                          { .path = NULL } };
    frugal_str                text    = FRUGAL_STR("include \"b.thrift\"\nstruct S {}");
    parsing                   p;
    (void)state;
    parsing_start(&p);
    p.files = files;
    parsing_load(&p, "none"); /* sets reader and arena */
    p.reports[0] = '\0';
    p.load       = (idl_load){ .arena = p.load.arena, .options = &p.options };
    idl_load_files(&p.load, "dir/memory", &text);
    assert_string_equal(p.reports, "");
    expect_paths(&p, "dir/memory=memory dir/b.thrift=b ");
    parsing_end(&p);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void files_are_read_from_disk_when_there_is_no_reader(void **state)
{
    char folder[] = "/tmp/frugal-idl-XXXXXX", root[64], other[64];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(root, sizeof root, "%s/root.thrift", folder);
    snprintf(other, sizeof other, "%s/other.thrift", folder);
    write_file(root, "include \"other.thrift\"\ninclude \"none.thrift\"\ninclude \"..\"\n");
    write_file(other, "struct S {}");
    parsing p;
    parsing_start(&p);
    parsing_load(&p, root);
    assert_int_equal(p.load.file_count, 2);
    assert_int_equal(p.load.files->next->definition_count, 1);
    assert_non_null(strstr(p.reports, "2:9: none.thrift is neither beside"));
    assert_non_null(strstr(p.reports, "3:9: cannot read /tmp"));
    assert_int_equal(p.load.errors, 2);
    parsing_end(&p);

    parsing_start(&p);
    p.options.text_max = 30;
    parsing_load(&p, root);
    assert_int_equal(p.load.first.status, FRUGAL_SIZE);
    parsing_end(&p);
    unlink(root);
    unlink(other);
    rmdir(folder);
}

static void a_path_from_here_and_one_from_the_root_may_be_one_file(void **state)
{
    char folder[] = "/tmp/frugal-idl-XXXXXX", before[4096], text[128];
    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    snprintf(text, sizeof text, "include \"x.thrift\"\ninclude \"%s/./x.thrift\"\n", folder);
    write_file("root.thrift", text);
    write_file("x.thrift", "struct S {}");
    parsing p;
    parsing_start(&p);
    parsing_load(&p, "root.thrift");
    assert_int_equal(p.load.errors, 0);
    expect_paths(&p, "root.thrift=root x.thrift=x ");
    assert_null(p.load.files->includes->next);
    parsing_end(&p);
    unlink("root.thrift");
    unlink("x.thrift");
    assert_int_equal(chdir(before), 0);
    rmdir(folder);
}

/* Each of them was compared with each. */
static void an_include_repeated_many_times_is_one(void **state)
{
    enum { COUNT = 100000 };
    static const char line[] = "include \"x.thrift\" ";
    const size_t      size   = sizeof line - 1;
    char             *text   = malloc(COUNT * size + 1);
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < COUNT; i++)
        memcpy(text + i * size, line, size + 1);
    const parsing_file files[] = { { .path = "root.thrift", .text = text },
                                   { .path = "x.thrift", .text = "" },
                                   { .path = NULL } };
    parsing            p;
    load(&p, files);
    assert_int_equal(p.load.errors, 0);
    assert_int_equal(p.load.file_count, 2);
    assert_null(p.load.files->includes->next);
    parsing_end(&p);
    free(text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(includes_are_searched_beside_the_file_that_includes),
        cmocka_unit_test(then_in_the_folders_for_includes_in_order),
        cmocka_unit_test(an_absolute_path_is_looked_for_where_it_says),
        cmocka_unit_test(a_file_is_read_once_whatever_its_path_is_called),
        cmocka_unit_test(paths_are_normalised_by_their_names),
        cmocka_unit_test(a_base_name_loses_its_folder_and_its_last_extension),
        cmocka_unit_test(a_missing_include_is_an_error_at_its_literal),
        cmocka_unit_test(a_missing_root_is_an_error_of_the_file),
        cmocka_unit_test(a_file_that_includes_itself_is_told),
        cmocka_unit_test(a_cycle_is_told_at_the_include_that_closes_it),
        cmocka_unit_test(a_file_reached_twice_is_no_cycle),
        cmocka_unit_test(errors_of_all_files_are_told),
        cmocka_unit_test(more_files_than_the_bound_are_an_error),
        cmocka_unit_test(more_text_than_the_bound_is_an_error),
        cmocka_unit_test(a_reader_that_fails_ends_the_load),
        cmocka_unit_test(a_reader_that_fails_for_the_root_ends_the_load),
        cmocka_unit_test(a_reader_without_memory_is_out_of_memory),
        cmocka_unit_test(every_allocation_that_fails_is_told_and_nothing_leaks),
        cmocka_unit_test(many_files_are_found_by_name),
        cmocka_unit_test(a_path_too_long_for_an_error_loses_its_front),
        cmocka_unit_test(text_in_memory_includes_from_its_folder),
        cmocka_unit_test(files_are_read_from_disk_when_there_is_no_reader),
        cmocka_unit_test(a_path_from_here_and_one_from_the_root_may_be_one_file),
        cmocka_unit_test(an_include_repeated_many_times_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
