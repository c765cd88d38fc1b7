package io.tickmark.system;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/**
 * The classes of the product without its tests, read once for all tests that hold rules of them.
 */
final class OwnClasses {
    static final JavaClasses ALL =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .importPackages("io.tickmark");

    private OwnClasses() {}
}
